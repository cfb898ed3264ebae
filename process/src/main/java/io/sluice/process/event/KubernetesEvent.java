// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.event;

import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A core/v1 event to write (docs/contract/events.md).
 *
 * @param about the object that something happened to
 * @param component {@code source.component}
 * @param key makes a repetition the same event; the message may change
 * @param annotations of the event, from its first writing on
 */
public record KubernetesEvent(
        ObjectReference about,
        Type type,
        String component,
        String reason,
        String key,
        String message,
        Map<String, String> annotations,
        Repetition repetition) {
    /** How Kubernetes files an event. */
    public enum Type {
        NORMAL("Normal"),
        WARNING("Warning");

        private final String wire;

        Type(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    /**
     * When a repetition is counted.
     *
     * @param quiet a repetition within this time after the last one is left out, as long as the
     *     content is the same; empty if all are counted
     * @param content a hash of what the event tells of, which is kept in its label {@code
     *     parallelismMap}; empty if it has none
     */
    public record Repetition(Optional<Duration> quiet, Optional<String> content) {
        /** Each repetition is counted. */
        public static final Repetition COUNTED = new Repetition(Optional.empty(), Optional.empty());
    }

    public KubernetesEvent {
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }

    /**
     * The name by which a repetition finds the first event: {@code <component>.<hash>} in lower
     * case, as names of Kubernetes objects are. The hash is the Apache operator's.
     */
    String name() {
        String identity =
                reason + key + type.wire() + about.getKind() + about.getName() + about.getUid();
        return (component + "." + (identity.hashCode() & Integer.MAX_VALUE))
                .toLowerCase(Locale.ROOT);
    }
}
