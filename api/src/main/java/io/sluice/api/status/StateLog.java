// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.spec.StateKind;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code jobStatus.savepointInfo} and {@code jobStatus.checkpointInfo}: what a running job was
 * asked to write, and what came of it.
 *
 * @param history savepoints that are kept track of, oldest first; none for checkpoints
 * @param lastPeriodic the time that the last periodic one was due at
 * @param failure why the last one that was asked for could not be made; Sluice's own field
 */
@RecordBuilder
public record StateLog(
        Optional<StateTrigger> trigger,
        Optional<SavedState> last,
        List<SavedState> history,
        Optional<Instant> lastPeriodic,
        Optional<String> failure)
        implements StateLogBuilder.With {
    public static final StateLog EMPTY = StateLogBuilder.builder().history(List.of()).build();

    private static final String HISTORY = "savepointHistory";
    private static final String FAILURE = "lastFailure";

    public StateLog {
        history = List.copyOf(history);
    }

    /** Whether the job was asked for a savepoint or checkpoint that has no result yet. */
    public boolean isUnderWay() {
        return trigger.filter(StateTrigger::isUnderWay).isPresent();
    }

    /** It was made: the trigger is done with. */
    public StateLog made(SavedState state) {
        List<SavedState> longer = new ArrayList<>(history);
        if (state.location().isPresent()) {
            longer.add(state);
        }
        return with().trigger(Optional.empty())
                .last(Optional.of(state))
                .history(longer)
                .failure(Optional.empty())
                .build();
    }

    /** It was made, and a FlinkStateSnapshot keeps track of it: the trigger is done with. */
    public StateLog madeElsewhere() {
        return with().trigger(Optional.empty()).failure(Optional.empty()).build();
    }

    /** It could not be made, and is not tried again. */
    public StateLog failed(String why) {
        return with().trigger(Optional.empty()).failure(Optional.of(why)).build();
    }

    /**
     * What Flink was asked for, and what failed, belongs to a job that is no more. A
     * FlinkStateSnapshot goes on without it.
     */
    StateLog ofNewAttempt() {
        return with().trigger(trigger.filter(it -> it.snapshot().isPresent()))
                .failure(Optional.empty())
                .build();
    }

    static StateLog read(Fields fields, StateKind kind) {
        return new StateLog(
                StateTrigger.read(fields),
                fields.object(kind.last(), SavedState::read),
                fields.objects(HISTORY).stream().map(SavedState::read).toList(),
                instant(fields, kind.lastPeriodic()).filter(Instant.EPOCH::isBefore),
                fields.string(FAILURE));
    }

    /** Writes over what is there; leaves nothing behind where there is nothing to say. */
    void writeOnto(ObjectNode job, StateKind kind) {
        if (equals(EMPTY) && !job.has(kind.field())) {
            return;
        }
        ObjectNode node = StatusJson.objectAt(job, kind.field());
        StateTrigger.write(trigger, node);
        node.remove(List.of(kind.last(), HISTORY));
        last.ifPresent(it -> it.writeTo(node.putObject(kind.last())));
        if (!history.isEmpty()) {
            ArrayNode entries = node.putArray(HISTORY);
            history.forEach(it -> it.writeTo(entries.addObject()));
        }
        StatusJson.putNumber(node, kind.lastPeriodic(), lastPeriodic.map(Instant::toEpochMilli));
        StatusJson.put(node, FAILURE, failure);
        if (node.isEmpty()) {
            job.remove(kind.field());
        }
    }

    static Optional<Instant> instant(Fields fields, String name) {
        return fields.int64(name).map(Instant::ofEpochMilli);
    }
}
