// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import io.sluice.operator.reconcile.Reconciliation.Outcome;

/**
 * Reconciles the resources of one kind, one at a time. What holds for every kind, such as metrics
 * or leadership, goes around it and is written once.
 *
 * @param <R> the kind
 * @param <C> what the caches hold of the objects that belong to a resource of that kind
 */
@FunctionalInterface
public interface ResourceReconciler<R, C> {
    /**
     * @param store where the resource's status goes
     */
    Outcome reconcile(R resource, C cached, StatusStore<R> store);
}
