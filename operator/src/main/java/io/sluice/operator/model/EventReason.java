// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

/**
 * What an event is of: something that the operator did or found, the reason of a condition, or what
 * Kubernetes says of a pod. docs/reference/events.md is generated from these.
 */
public sealed interface EventReason permits OperatorEvent, Reason, ClusterView.PodProblem {
    /** The word in the event's field {@code reason}. */
    String wire();
}
