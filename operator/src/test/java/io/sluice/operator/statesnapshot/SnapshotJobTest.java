// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.statesnapshot.SnapshotTarget.With;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a job is to a snapshot, by what its resource and its JobManager say. */
class SnapshotJobTest {
    private static final Instant CHANGE = Instant.parse("2026-03-01T11:00:00Z");
    private static final JobView RUNNING = seen(JobState.RUNNING, 2);
    private static final StopStatus STOP =
            new StopStatus(StopStatus.How.SAVEPOINT, "stop-1", 2, 1, CHANGE, Optional.empty());
    private static final JobResource STABLE =
            new JobResource(
                    false,
                    true,
                    JobStatus.EMPTY.withState(JobState.RUNNING, CHANGE),
                    Optional.of(LifecycleState.STABLE),
                    AttemptStatus.NONE.withId(Optional.of("attempt-1")));
    private static final JobPhase READY = STABLE.phase(Optional.empty());

    @Test
    void isUpOnlyIfAllItsTasksRun() {
        assertThat(READY.target(RUNNING))
                .isEqualTo(new SnapshotTarget.Up("job-1", "attempt-1", CHANGE));
        assertThat(READY.target(seen(JobState.RUNNING, 1))).isEqualTo(busy(With.DEPLOYMENT));
        assertThat(READY.target(seen(JobState.RESTARTING, 0))).isEqualTo(busy(With.RESTART));
    }

    @Test
    void isBusyWhileNobodySaysThatItHasEnded() {
        assertThat(READY.target(new JobView.NotListed())).isEqualTo(busy(With.DEPLOYMENT));
        assertThat(READY.target(new JobView.NotAsked())).isEqualTo(busy(With.DEPLOYMENT));
        assertThat(READY.target(new JobView.Unreachable("timed out")))
                .isEqualTo(busy(With.SILENCE));
        assertThat(READY.target(new JobView.Unreachable("too large", NoAnswer.TOO_LARGE)))
                .isEqualTo(busy(With.SILENCE));
        assertThat(READY.target(seen(JobState.FAILED, 0)))
                .as("its own resource may start it again")
                .isEqualTo(busy(With.RESTART));
    }

    @Test
    void hasEndedOnceItsResourceSaysSo() {
        JobResource ended = STABLE.withJob(JobStatus.EMPTY.withState(JobState.FINISHED, CHANGE));

        assertThat(target(ended)).isInstanceOf(SnapshotTarget.Ended.class);
        assertThat(target(ended.withAttempt(AttemptStatus.NONE.withStop(Optional.of(STOP)))))
                .as("a stop with a savepoint ends one run of it")
                .isEqualTo(busy(With.UPGRADE));
    }

    @Test
    void isBusyWhileItIsUpgradedOrRolledBack() {
        assertThat(target(in(LifecycleState.UPGRADING))).isEqualTo(busy(With.UPGRADE));
        assertThat(target(in(LifecycleState.ROLLING_BACK))).isEqualTo(busy(With.UPGRADE));
    }

    @Test
    void isNotReadyWithoutItsCluster() {
        assertThat(STABLE.phase(Optional.of(With.CLUSTER)).target(RUNNING))
                .isEqualTo(busy(With.CLUSTER));
    }

    @Test
    void aDeletionSuspensionOrSessionClusterGoesBeforeWhatFlinkSays() {
        JobResource suspended =
                in(LifecycleState.SUSPENDED)
                        .withAttempt(AttemptStatus.NONE.withStop(Optional.of(STOP)));

        assertThat(target(suspended)).isEqualTo(new SnapshotTarget.AtRest());
        assertThat(target(suspended.withIsLeaving(true))).isEqualTo(new SnapshotTarget.Leaving());
        assertThat(target(STABLE.withHasJob(false))).isInstanceOf(SnapshotTarget.Ended.class);
    }

    private static JobResource in(LifecycleState state) {
        return STABLE.withLifecycle(Optional.of(state));
    }

    private static SnapshotTarget target(JobResource resource) {
        return resource.phase(Optional.empty()).target(RUNNING);
    }

    private static SnapshotTarget busy(With with) {
        return new SnapshotTarget.Busy(with);
    }

    private static JobView seen(JobState state, int running) {
        return new JobView.Seen(
                state,
                new JobOverview(
                        "job-1",
                        "orders",
                        state.wire(),
                        CHANGE,
                        Optional.empty(),
                        new TaskCounts(2, running, 0),
                        CHANGE));
    }
}
