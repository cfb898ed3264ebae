// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Steps after which it is known otherwise where the job's state is. */
public sealed interface StateSteps permits Snapshots {
    ObservedState observed();

    /** Flink's high-availability metadata names a checkpoint of the job. */
    default Snapshots withRecovery() {
        return withRecovery(Set.of(observed().status().jobStatus().jobId().orElse("")));
    }

    /** Flink's high-availability metadata names checkpoints of these jobs. */
    default Snapshots withRecoveryOf(String... jobs) {
        return withRecovery(Set.of(jobs));
    }

    default Snapshots withoutRecovery() {
        return withRecovery(Set.of());
    }

    private Snapshots withRecovery(Set<String> recoverable) {
        return with(observed().state().withRecoverable(recoverable));
    }

    default Snapshots withStop(SavepointStatus status) {
        return withStop(new StopView.Known(status));
    }

    default Snapshots withStop(StopView view) {
        return with(observed().state().withStop(view));
    }

    default Snapshots withLast(LastCheckpoints last) {
        return with(observed().state().withLast(last));
    }

    /** The JobManager tells of one checkpoint, complete at {@link Snapshots#NOW}. */
    default Snapshots withCheckpoint(String path) {
        return withLast(
                new LastCheckpoints.Known(
                        new Checkpoints(
                                Optional.of(new CheckpointRef(7, path, Snapshots.NOW, false)),
                                Optional.empty(),
                                Optional.empty(),
                                List.of())));
    }

    default Snapshots withRetention(Retention retention) {
        return with(observed().state().withRetention(retention));
    }

    /** A cancellation would delete the job's checkpoints. */
    default Snapshots withoutRetention() {
        return withRetention(new Retention.Known(CheckpointRetention.DELETED));
    }

    private Snapshots with(StateView state) {
        return new Snapshots(observed().withState(state));
    }
}
