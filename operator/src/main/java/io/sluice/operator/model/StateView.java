// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Where the job's state is, as far as a decision may hang on it.
 *
 * @param recoverable ids of the jobs for which Flink's high-availability metadata names a
 *     checkpoint, read from the API server itself; empty too where nothing hangs on it
 * @param stop what came of the stop that the status records
 * @param retention whether a cancellation would leave the checkpoints of the job that runs
 */
@RecordBuilder
public record StateView(
        Set<String> recoverable, StopView stop, LastCheckpoints last, Retention retention)
        implements StateViewBuilder.With {
    public static final StateView NONE =
            new StateView(
                    Set.of(),
                    new StopView.NotAsked(),
                    new LastCheckpoints.NotAsked(),
                    new Retention.NotAsked());

    public StateView {
        recoverable = Collections.unmodifiableSet(new LinkedHashSet<>(recoverable));
    }

    /** What a JobManager says of a stop with a savepoint. */
    public sealed interface StopView {
        /** No such stop is under way. */
        record NotAsked() implements StopView {}

        /** Nobody knows: the JobManager did not say. */
        record Silent(String message, NoAnswer noAnswer) implements StopView {
            public Silent(String message) {
                this(message, NoAnswer.NO_ANSWER);
            }
        }

        record Known(SavepointStatus status) implements StopView {}
    }

    /** The checkpoints of a job that has ended, or whose age matters. */
    public sealed interface LastCheckpoints {
        /** Nothing hangs on them. */
        record NotAsked() implements LastCheckpoints {}

        /** Nobody knows; never taken for a job without checkpoints. */
        record Unread(String message) implements LastCheckpoints {}

        /** As one process of the JobManager told them, which had the job before and after. */
        record Known(Checkpoints checkpoints) implements LastCheckpoints {}
    }

    /** What becomes of the checkpoints of a job that may have to be cancelled. */
    public sealed interface Retention {
        /** Nothing hangs on it. */
        record NotAsked() implements Retention {}

        /** Nobody knows; never taken for retained. */
        record Unread(String message) implements Retention {}

        record Known(CheckpointRetention retention) implements Retention {}

        /** Why it is not known, for people. */
        default String doubt() {
            return this instanceof Unread(var message) ? message : "";
        }
    }
}
