// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.operator.deployment.ResourcePass.Outcome;

/**
 * Reconciles the resources of one kind, one at a time. What holds for every kind, such as metrics
 * or leadership, goes around it and is written once.
 *
 * @param <R> the kind
 * @param <C> what the caches hold of the objects that belong to a resource of that kind
 */
@FunctionalInterface
public interface Passes<R, C> {
    /**
     * @param store where the resource's status goes
     */
    Outcome run(R resource, C cached, StatusStore<R> store);
}
