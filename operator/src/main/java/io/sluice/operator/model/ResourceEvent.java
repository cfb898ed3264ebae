// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event to record (docs/contract/events.md).
 *
 * @param component {@code source.component}: Operator, Job, JobManagerDeployment or Snapshot
 * @param of what has happened
 * @param key what makes a repetition the same event; the message may change
 * @param annotations by names that a Kubernetes object may carry
 */
public record ResourceEvent(
        Kind kind,
        String component,
        Word of,
        String key,
        String message,
        Map<String, String> annotations) {
    public ResourceEvent {
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    /**
     * The word for what has happened: something that the operator did or found, the reason of a
     * condition, or what Kubernetes says of a pod. docs/reference/events.md is generated from
     * these.
     */
    public sealed interface Word permits OperatorEvent, Reason, ClusterView.PodProblem {
        /** What is in the event's field {@code reason}. */
        String wire();
    }

    /** How Kubernetes files the event. */
    public enum Kind {
        NORMAL,
        WARNING
    }

    public static ResourceEvent of(
            String component, OperatorEvent event, String key, String message) {
        return new ResourceEvent(event.kind(), component, event, key, message, Map.of());
    }

    /** What a condition says, too, and nobody has to act on. */
    public static ResourceEvent normal(
            String component, Reason reason, String key, String message) {
        return new ResourceEvent(Kind.NORMAL, component, reason, key, message, Map.of());
    }

    /** What a condition says, too. */
    public static ResourceEvent warning(
            String component, Reason reason, String key, String message) {
        return new ResourceEvent(Kind.WARNING, component, reason, key, message, Map.of());
    }

    /** A pod can't run. */
    public static ResourceEvent warning(
            String component, ClusterView.PodProblem problem, String key) {
        return new ResourceEvent(
                Kind.WARNING, component, problem, key, problem.message(), Map.of());
    }

    public ResourceEvent annotated(Map<String, String> more) {
        return new ResourceEvent(kind, component, of, key, message, more);
    }

    /** The word for what has happened. */
    public String reason() {
        return of.wire();
    }
}
