// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.spec.StateKind;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * A savepoint or checkpoint that a running job is asked for, recorded before the asking. Either
 * Flink is asked directly, or a FlinkStateSnapshot is created, whose own reconciliation asks.
 *
 * @param id 32 hexadecimal digits that name this try; empty while the job does not run, and is to
 *     be asked again once it does, and always empty where {@code snapshot} is present
 * @param at when this try was recorded
 * @param format {@code formatType} in the wire's words
 * @param nonce of a {@link TriggerType#MANUAL} one
 * @param tries how often it was asked for, this one included
 * @param since when the first try was recorded
 * @param snapshot the FlinkStateSnapshot that carries the request; empty if Flink is asked directly
 */
@RecordBuilder
public record StateTrigger(
        Optional<String> id,
        Instant at,
        TriggerType type,
        String format,
        Optional<Long> nonce,
        int tries,
        Instant since,
        Optional<RequestedSnapshot> snapshot)
        implements StateTriggerBuilder.With {
    private static final String SNAPSHOT = "triggerSnapshot";

    /** Flink is asked directly. */
    public StateTrigger(
            Optional<String> id,
            Instant at,
            TriggerType type,
            String format,
            Optional<Long> nonce,
            int tries,
            Instant since) {
        this(id, at, type, format, nonce, tries, since, Optional.empty());
    }

    /** Whether the request was made, to Flink or by a snapshot, and has no result yet. */
    public boolean isUnderWay() {
        return id.isPresent() || snapshot.isPresent();
    }

    /** Whether the snapshot only registers a savepoint with which the job was stopped. */
    public boolean isRegistration() {
        return type == TriggerType.UPGRADE && snapshot.isPresent();
    }

    /** The next try under {@code nextId}. */
    public StateTrigger again(String nextId, Instant now) {
        return with().id(Optional.of(nextId)).at(now).tries(tries + 1).build();
    }

    /** The job that was asked runs no more. */
    public StateTrigger dropped() {
        return withId(Optional.empty());
    }

    /** What asked for it, for people. */
    public String cause(StateKind kind) {
        return nonce.map(number -> kind.nonce() + " " + number)
                .orElseGet(() -> "periodic " + kind.word());
    }

    static Optional<StateTrigger> read(Fields fields) {
        Optional<String> id = fields.string("triggerId").filter(text -> !text.isEmpty());
        Optional<Instant> since = StateLog.instant(fields, "triggerSince");
        if (id.isEmpty() && since.isEmpty()) {
            return Optional.empty();
        }
        Instant at =
                StateLog.instant(fields, "triggerTimestamp").or(() -> since).orElse(Instant.EPOCH);
        return Optional.of(
                new StateTrigger(
                        id,
                        at,
                        fields.choice("triggerType", TriggerType.WORDS).orElse(TriggerType.UNKNOWN),
                        fields.string("formatType").orElse("UNKNOWN"),
                        fields.int64("triggerNonce"),
                        fields.int32("triggerTries").orElse(1),
                        since.orElse(at),
                        fields.object(SNAPSHOT, RequestedSnapshot::read)));
    }

    static void write(Optional<StateTrigger> trigger, ObjectNode node) {
        StatusJson.put(node, "triggerId", trigger.flatMap(StateTrigger::id));
        StatusJson.putNumber(node, "triggerTimestamp", trigger.map(it -> it.at().toEpochMilli()));
        StatusJson.put(node, "triggerType", trigger.map(it -> it.type().wire()));
        StatusJson.put(node, "formatType", trigger.map(StateTrigger::format));
        StatusJson.putNumber(node, "triggerNonce", trigger.flatMap(StateTrigger::nonce));
        StatusJson.putNumber(node, "triggerTries", trigger.map(it -> (long) it.tries()));
        StatusJson.putNumber(node, "triggerSince", trigger.map(it -> it.since().toEpochMilli()));
        node.remove(SNAPSHOT);
        trigger.flatMap(StateTrigger::snapshot)
                .ifPresent(it -> it.writeTo(node.putObject(SNAPSHOT)));
    }
}
