// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.JobState;
import io.sluice.operator.model.JobView;
import io.sluice.operator.statesnapshot.SnapshotTarget.With;

/**
 * What the resource of a job says of it, see {@link JobResource#phase}.
 *
 * <pre>
 *   Leaving      the resource is being deleted
 *   WithoutJob   the resource is a session cluster
 *   Suspended    the job is suspended
 *   Changing     the job is being upgraded, rolled back or stopped
 *   Ended        the job has ended
 *   Unready      there is no JobManager that could be asked
 *   Ready        the JobManager says how the job is
 * </pre>
 */
sealed interface JobPhase {
    record Leaving() implements JobPhase {}

    record WithoutJob() implements JobPhase {}

    record Suspended() implements JobPhase {}

    record Changing() implements JobPhase {}

    record Ended(JobState state) implements JobPhase {}

    record Unready(With with) implements JobPhase {}

    /**
     * @param attempt of the resource that runs the job; empty of one that another operator started
     */
    record Ready(String attempt) implements JobPhase {}

    /**
     * What the job is to a snapshot.
     *
     * @param job as its JobManager lists it, if it is ready
     */
    default SnapshotTarget target(JobView job) {
        return switch (this) {
            case Leaving _ -> new SnapshotTarget.Leaving();
            case WithoutJob _ ->
                    new SnapshotTarget.Ended(
                            "it is a session cluster, whose jobs are named by their"
                                    + " FlinkSessionJobs");
            case Suspended _ -> new SnapshotTarget.AtRest();
            case Changing _ -> new SnapshotTarget.Busy(With.UPGRADE);
            case Ended(var state) -> new SnapshotTarget.Ended("the job is " + state.wire());
            case Unready(var with) -> new SnapshotTarget.Busy(with);
            case Ready(var attempt) -> listed(job, attempt);
        };
    }

    /** The resource of a job that has just ended says that it has, or starts it again. */
    private static SnapshotTarget listed(JobView job, String attempt) {
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
