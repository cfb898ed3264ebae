// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.json.Wire;
import java.time.Instant;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * {@code status.attempt.stop}: an end of the job that was asked for, recorded before the asking.
 *
 * @param triggerId 32 hexadecimal digits that name this try, and the savepoint it makes
 * @param generation of the resource that asked
 * @param tries how many times the generation has asked, this one included
 * @param at when this try was recorded
 * @param failure why it came to nothing; empty while it is under way
 */
public record StopStatus(
        How how,
        String triggerId,
        long generation,
        int tries,
        Instant at,
        Optional<String> failure) {
    /** What is asked of Flink. */
    public enum How implements Wire {
        SAVEPOINT("savepoint"),
        CANCEL("cancel");

        public static final SequencedMap<String, How> WORDS = Wire.words(values());

        private final String wire;

        How(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    public boolean isUnderWay() {
        return failure.isEmpty();
    }

    public StopStatus failing(String why) {
        return new StopStatus(how, triggerId, generation, tries, at, Optional.of(why));
    }

    static Optional<StopStatus> read(Fields fields) {
        Optional<String> trigger = fields.string("triggerId");
        return fields.choice("how", How.WORDS)
                .flatMap(
                        how ->
                                trigger.map(
                                        id ->
                                                new StopStatus(
                                                        how,
                                                        id,
                                                        fields.int64("generation").orElse(0L),
                                                        fields.int32("tries").orElse(1),
                                                        Instant.ofEpochMilli(
                                                                fields.int64("at").orElse(0L)),
                                                        fields.string("failure"))));
    }

    void writeTo(ObjectNode node) {
        node.put("how", how.wire())
                .put("triggerId", triggerId)
                .put("generation", generation)
                .put("tries", tries)
                .put("at", at.toEpochMilli());
        StatusJson.put(node, "failure", failure);
    }
}
