// SPDX-License-Identifier: Apache-2.0
/**
 * Asks the validators of plugins whether a spec may be carried out, apart from the threads that
 * reconcile resources.
 */
@NullMarked
package io.sluice.operator.validation;

import org.jspecify.annotations.NullMarked;
