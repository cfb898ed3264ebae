// SPDX-License-Identifier: Apache-2.0
/**
 * The values that reconciliations pass around: what was observed, why a resource is as it is, and
 * what is to be done.
 */
@NullMarked
package io.sluice.operator.model;

import org.jspecify.annotations.NullMarked;
