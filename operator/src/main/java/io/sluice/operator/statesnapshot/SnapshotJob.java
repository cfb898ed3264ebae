// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.JobState;
import io.sluice.operator.model.JobView;
import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import io.sluice.operator.statesnapshot.SnapshotTarget.With;
import io.sluice.rules.config.Redaction;
import java.net.URI;
import java.util.Optional;

/**
 * The job of a snapshot as it was found.
 *
 * @param jobId as the resource's status has it
 * @param at where its JobManager answers; empty if there is none that can
 * @param redaction hides what the job's configuration has of secrets
 */
record SnapshotJob(
        SnapshotTarget target,
        Optional<String> jobId,
        Optional<URI> at,
        JobOptions options,
        Redaction redaction) {
    /** No resource was found. */
    static SnapshotJob without(SnapshotTarget target, Redaction redaction) {
        return new SnapshotJob(
                target, Optional.empty(), Optional.empty(), JobOptions.NONE, redaction);
    }

    /**
     * What the resource says of its job, in the order in which one thing makes the next ones
     * meaningless.
     *
     * @param state of the job; empty if it is not known
     */
    record Facts(
            boolean isLeaving,
            boolean hasJob,
            boolean isSuspended,
            boolean isChanging,
            boolean isReady,
            With unready,
            Optional<JobState> state,
            String attempt) {
        /**
         * @param job as its JobManager lists it; not looked at if the resource says enough
         */
        SnapshotTarget target(JobView job) {
            if (isLeaving) {
                return new SnapshotTarget.Leaving();
            }
            if (!hasJob) {
                return new SnapshotTarget.Ended(
                        "it is a session cluster, whose jobs are named by their FlinkSessionJobs");
            }
            if (isSuspended) {
                return new SnapshotTarget.AtRest();
            }
            if (isChanging) {
                return new SnapshotTarget.Busy(With.UPGRADE);
            }
            Optional<JobState> ended = state.filter(JobState::isTerminal);
            if (ended.isPresent()) {
                return new SnapshotTarget.Ended("the job is " + ended.get().wire());
            }
            return isReady ? listed(job) : new SnapshotTarget.Busy(unready);
        }

        /** One that has just ended is for its own resource to tell of, or to restart. */
        private SnapshotTarget listed(JobView job) {
            return switch (job) {
                case JobView.NotAsked _, JobView.NotListed _ ->
                        new SnapshotTarget.Busy(With.DEPLOYMENT);
                case JobView.Unreachable _ -> new SnapshotTarget.Busy(With.SILENCE);
                case JobView.Seen seen ->
                        seen.isUp()
                                ? new SnapshotTarget.Up(
                                        seen.overview().id(), attempt, seen.overview().lastChange())
                                : new SnapshotTarget.Busy(busy(seen.state()));
            };
        }

        private static With busy(JobState state) {
            return switch (state) {
                case FAILING, FAILED, RESTARTING, CANCELLING, CANCELED, FINISHED -> With.RESTART;
                case INITIALIZING, CREATED, RUNNING, SUSPENDED, RECONCILING -> With.DEPLOYMENT;
            };
        }
    }
}
