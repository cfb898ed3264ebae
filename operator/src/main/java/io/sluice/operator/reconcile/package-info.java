// SPDX-License-Identifier: Apache-2.0
/**
 * Reconciles one resource: observes, decides, stores the status, acts, and reports events, in this
 * order.
 */
@NullMarked
package io.sluice.operator.reconcile;

import org.jspecify.annotations.NullMarked;
