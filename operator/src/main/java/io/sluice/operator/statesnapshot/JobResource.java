// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.StopStatus;
import io.sluice.operator.statesnapshot.SnapshotTarget.With;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * What FlinkDeployments and FlinkSessionJobs have in common.
 *
 * @param isLeaving whether the resource is being deleted
 * @param hasJob false for a session cluster
 */
@RecordBuilder
record JobResource(
        boolean isLeaving,
        boolean hasJob,
        JobStatus job,
        Optional<LifecycleState> lifecycle,
        AttemptStatus attempt)
        implements JobResourceBuilder.With {
    /**
     * The first phase that applies. It makes those after it meaningless: a job that a stop ends is
     * not ended but changing.
     *
     * @param unready why no JobManager can be asked; empty if one can
     */
    JobPhase phase(Optional<With> unready) {
        if (isLeaving) {
            return new JobPhase.Leaving();
        }
        if (!hasJob) {
            return new JobPhase.WithoutJob();
        }
        if (lifecycle.filter(LifecycleState.SUSPENDED::equals).isPresent()) {
            return new JobPhase.Suspended();
        }
        if (isChanging()) {
            return new JobPhase.Changing();
        }
        return job.state()
                .filter(JobState::isTerminal)
                .<JobPhase>map(JobPhase.Ended::new)
                .or(() -> unready.map(JobPhase.Unready::new))
                .orElseGet(() -> new JobPhase.Ready(attempt.id().orElse("")));
    }

    private boolean isChanging() {
        return lifecycle
                        .filter(
                                state ->
                                        state == LifecycleState.UPGRADING
                                                || state == LifecycleState.ROLLING_BACK)
                        .isPresent()
                || attempt.stop().filter(StopStatus::isUnderWay).isPresent();
    }
}
