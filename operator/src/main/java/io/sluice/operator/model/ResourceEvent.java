// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event to record (docs/contract/events.md).
 *
 * @param component {@code source.component}: Operator, Job or JobManagerDeployment
 * @param key what makes a repetition the same event; the message may change
 * @param annotations by names that a Kubernetes object may carry
 */
public record ResourceEvent(
        Kind kind,
        String component,
        String reason,
        String key,
        String message,
        Map<String, String> annotations) {
    public ResourceEvent {
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    /** How Kubernetes files the event. */
    public enum Kind {
        NORMAL,
        WARNING
    }

    public static ResourceEvent normal(
            String component, String reason, String key, String message) {
        return new ResourceEvent(Kind.NORMAL, component, reason, key, message, Map.of());
    }

    public static ResourceEvent warning(
            String component, String reason, String key, String message) {
        return new ResourceEvent(Kind.WARNING, component, reason, key, message, Map.of());
    }

    public ResourceEvent annotated(Map<String, String> more) {
        return new ResourceEvent(kind, component, reason, key, message, more);
    }
}
