// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import java.util.Map;

/**
 * An event to tell (docs/contract/events.md).
 *
 * @param component {@code source.component}: Operator, Job or JobManagerDeployment
 * @param key what makes a repetition the same event; the message may change
 * @param annotations by names that a Kubernetes object may carry
 */
public record Note(
        Kind kind,
        String component,
        String reason,
        String key,
        String message,
        Map<String, String> annotations) {
    public Note {
        annotations = Map.copyOf(annotations);
    }

    /** How Kubernetes files the event. */
    public enum Kind {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String wire;

        Kind(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    static Note normal(String component, String reason, String key, String message) {
        return new Note(Kind.NORMAL, component, reason, key, message, Map.of());
    }

    static Note warning(String component, String reason, String key, String message) {
        return new Note(Kind.WARNING, component, reason, key, message, Map.of());
    }

    Note annotated(Map<String, String> more) {
        return new Note(kind, component, reason, key, message, more);
    }
}
