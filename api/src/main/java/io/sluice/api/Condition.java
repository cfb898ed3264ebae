// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import java.time.Instant;
import java.util.Optional;

/**
 * One condition of a status, in the Kubernetes form.
 *
 * @param reason a typed reason in CamelCase
 * @param lastTransitionTime moves only when {@code status} flips
 */
public record Condition(
        String type,
        Status status,
        String reason,
        String message,
        Instant lastTransitionTime,
        Optional<Long> observedGeneration) {
    /** Whether the condition holds. */
    public enum Status implements Wire {
        TRUE("True"),
        FALSE("False"),
        UNKNOWN("Unknown");

        private final String wire;

        Status(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }
}
