// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.json.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

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

        static final SequencedMap<String, Status> WORDS = Wire.words(values());

        private final String wire;

        Status(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    /** Every condition of a status that has a type. */
    public static List<Condition> read(Fields status) {
        return status.objects("conditions").stream()
                .flatMap(fields -> fields.string("type").map(type -> read(type, fields)).stream())
                .toList();
    }

    /** Replaces the conditions of {@code status}. */
    public static void write(List<Condition> conditions, ObjectNode status) {
        var list = status.putArray("conditions");
        conditions.forEach(condition -> condition.writeTo(list.addObject()));
    }

    private static Condition read(String type, Fields fields) {
        return new Condition(
                type,
                fields.choice("status", Status.WORDS).orElse(Status.UNKNOWN),
                fields.string("reason").orElse(""),
                fields.string("message").orElse(""),
                fields.string("lastTransitionTime")
                        .flatMap(StatusJson::instant)
                        .orElse(Instant.EPOCH),
                fields.int64("observedGeneration"));
    }

    private void writeTo(ObjectNode node) {
        node.put("type", type)
                .put("status", status.wire())
                .put("reason", reason)
                .put("message", message)
                .put("lastTransitionTime", lastTransitionTime.toString());
        observedGeneration.ifPresent(
                generation -> node.put("observedGeneration", generation.longValue()));
    }
}
