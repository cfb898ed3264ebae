// SPDX-License-Identifier: Apache-2.0
/**
 * Reconciles one resource of any kind.
 *
 * <pre>
 *   observe ──▶ ObservedState ──▶ Decider ──▶ Decision ──▶ status is stored ──▶ Actions ──▶ events
 *   (all reads)                   (pure)                   (intent first)       (idempotent)
 * </pre>
 */
@NullMarked
package io.sluice.operator.reconcile;

import org.jspecify.annotations.NullMarked;
