// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.statesnapshot.SnapshotJob.Facts;
import io.sluice.operator.statesnapshot.SnapshotTarget.With;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a job is to a snapshot, by what its resource and its JobManager say. */
class SnapshotJobTest {
    private static final Instant CHANGE = Instant.parse("2026-03-01T11:00:00Z");
    private static final JobView RUNNING = seen(JobState.RUNNING, 2);
    private static final Facts READY =
            new Facts(
                    false,
                    true,
                    false,
                    false,
                    true,
                    With.DEPLOYMENT,
                    Optional.of(JobState.RUNNING),
                    "attempt-1");

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
        assertThat(with(Optional.of(JobState.FINISHED), false).target(RUNNING))
                .isInstanceOf(SnapshotTarget.Ended.class);
        assertThat(with(Optional.of(JobState.FINISHED), true).target(RUNNING))
                .as("a stop with a savepoint ends one run of it")
                .isEqualTo(busy(With.UPGRADE));
    }

    @Test
    void isNotReadyWithoutItsCluster() {
        var facts = new Facts(false, true, false, false, false, With.CLUSTER, Optional.empty(), "");

        assertThat(facts.target(RUNNING)).isEqualTo(busy(With.CLUSTER));
    }

    @Test
    void aDeletionSuspensionOrSessionClusterGoesBeforeWhatFlinkSays() {
        var leaving =
                new Facts(true, true, true, true, true, With.DEPLOYMENT, Optional.empty(), "");
        var suspended =
                new Facts(false, true, true, true, true, With.DEPLOYMENT, Optional.empty(), "");
        var session =
                new Facts(false, false, false, false, true, With.DEPLOYMENT, Optional.empty(), "");

        assertThat(leaving.target(RUNNING)).isEqualTo(new SnapshotTarget.Leaving());
        assertThat(suspended.target(RUNNING)).isEqualTo(new SnapshotTarget.AtRest());
        assertThat(session.target(RUNNING)).isInstanceOf(SnapshotTarget.Ended.class);
    }

    private static Facts with(Optional<JobState> state, boolean isChanging) {
        return new Facts(false, true, false, isChanging, true, With.DEPLOYMENT, state, "attempt-1");
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
