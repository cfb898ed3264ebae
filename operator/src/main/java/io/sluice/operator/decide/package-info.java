// SPDX-License-Identifier: Apache-2.0
/**
 * Decides what to do about a resource. Everything below is pure: no client, no clock, no logger.
 */
@NullMarked
package io.sluice.operator.decide;

import org.jspecify.annotations.NullMarked;
