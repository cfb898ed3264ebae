// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last completed checkpoint that anybody saw of a job: on record, in this process's memory, or
 * told just now. A hint for a human whose job's state is lost, and no more: a younger one may
 * exist, so that nothing is ever started from it by itself.
 */
public final class LatestCheckpoint {
    private LatestCheckpoint() {}

    /** Of the job on record. */
    static Optional<SeenCheckpoint> of(StepContext context) {
        return newest(context.observed(), context.draft().attempt().lastCheckpoint());
    }

    /**
     * Whether a checkpoint was seen that the job has completed since its spec was taken up: one
     * that is older may be of the job before, which it goes on from.
     */
    static boolean isOwn(StepContext context) {
        Instant begun =
                context.draft().reconciliation().reconciliationTimestamp().orElse(Instant.MAX);
        return of(context)
                .flatMap(SeenCheckpoint::at)
                .filter(at -> !at.isBefore(begun))
                .isPresent();
    }

    /**
     * What is about to be written, with the last checkpoint. Never asked for where nothing else is
     * to be written: a job that runs makes checkpoints all the time.
     */
    public static Decision withNewestCheckpoint(Decision decision, ObservedState seen) {
        FlinkDeploymentStatus next = decision.status();
        boolean isSameJob = next.jobStatus().jobId().equals(seen.status().jobStatus().jobId());
        if (!isSameJob) {
            return decision;
        }
        AttemptStatus attempt = next.attempt();
        return decision.withStatus(
                next.withAttempt(
                        attempt.withLastCheckpoint(newest(seen, attempt.lastCheckpoint()))));
    }

    private static Optional<SeenCheckpoint> newest(
            ObservedState observed, Optional<SeenCheckpoint> recorded) {
        return Stream.concat(
                        recorded.stream(),
                        Stream.of(reported(observed), observed.run().lastCheckpoint())
                                .flatMap(Optional::stream)
                                .filter(CheckpointRef::isAddressable)
                                .map(it -> new SeenCheckpoint(it.path(), Optional.of(it.at()))))
                .max(Comparator.comparing(seen -> seen.at().orElse(Instant.MIN)));
    }

    /** Not of a job that its JobManager began anew: that knows nothing of the one before. */
    private static Optional<CheckpointRef> reported(ObservedState observed) {
        return observed.state().last() instanceof LastCheckpoints.Known(Checkpoints known)
                        && observed.job().isRunOf(observed.status().jobStatus())
                ? known.completed()
                : Optional.empty();
    }
}
