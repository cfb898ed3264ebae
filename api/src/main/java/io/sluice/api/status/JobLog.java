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
 * What is remembered of a job beside its state.
 *
 * @param toldUntil the time of the newest of its exceptions that was told; Sluice's own field
 * @param failure why it failed for good, one line without secrets; Sluice's own field
 */
@RecordBuilder
public record JobLog(
        StateLog savepoints,
        StateLog checkpoints,
        Optional<Instant> toldUntil,
        Optional<String> failure)
        implements JobLogBuilder.With {
    public static final JobLog EMPTY =
            new JobLog(StateLog.EMPTY, StateLog.EMPTY, Optional.empty(), Optional.empty());

    private static final String TOLD_UNTIL = "lastExceptionTimestamp";
    private static final String FAILURE = "failure";

    public StateLog of(StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> savepoints;
            case CHECKPOINT -> checkpoints;
        };
    }

    public JobLog with(StateKind kind, StateLog next) {
        return switch (kind) {
            case SAVEPOINT -> withSavepoints(next);
            case CHECKPOINT -> withCheckpoints(next);
        };
    }

    /** What the next job of the resource begins with: nothing is asked of it yet. */
    public JobLog ofNewAttempt() {
        return with().savepoints(savepoints.ofNewAttempt())
                .checkpoints(checkpoints.ofNewAttempt())
                .failure(Optional.empty())
                .build();
    }

    static JobLog read(Fields fields) {
        return new JobLog(
                read(fields, StateKind.SAVEPOINT),
                read(fields, StateKind.CHECKPOINT),
                StateLog.instant(fields, TOLD_UNTIL),
                fields.string(FAILURE));
    }

    private static StateLog read(Fields fields, StateKind kind) {
        return fields.object(kind.field(), found -> StateLog.read(found, kind))
                .orElse(StateLog.EMPTY);
    }

    void writeOnto(ObjectNode job) {
        savepoints.writeOnto(job, StateKind.SAVEPOINT);
        checkpoints.writeOnto(job, StateKind.CHECKPOINT);
        StatusJson.putNumber(job, TOLD_UNTIL, toldUntil.map(Instant::toEpochMilli));
        StatusJson.put(job, FAILURE, failure);
    }
}
