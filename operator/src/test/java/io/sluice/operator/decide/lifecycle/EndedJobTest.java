// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job that has ended by itself, and the JobManager that is left of it. */
class EndedJobTest {
    /** An end on record means that the state is too: its JobManager may go then. */
    @Test
    void recordsNoEndBeforeTheStateIsRead() {
        var ended =
                aRunningDeployment("savepoint")
                        .withJob(JobState.FINISHED, 0)
                        .withLast(new LastCheckpoints.Unread("HTTP 503"));

        assertThat(ended.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(ended.decide().actions()).isEmpty();
        assertThat(ended.decide().status().jobStatus().state()).contains(JobState.RUNNING);
    }

    @Test
    void recordsTheStateOfAnEndedJobAndRemovesAJobManagerThatCouldBeginItAnew() {
        var failed = aRunningDeployment("savepoint").withJob(JobState.FAILED, 0);

        assertThat(failed.decide().actions()).isEmpty();
        assertThat(failed.decide().status().jobStatus().state()).contains(JobState.RUNNING);
        var told = failed.withCheckpoint("file:/c/7");
        assertThat(told.decide().status().jobStatus().upgradeSavepointPath()).contains("file:/c/7");
        assertThat(told.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(told.decided().withJob(JobState.RUNNING, 2).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void keepsAJobManagerThatKeepsResultsForAWhile() {
        var finished =
                aHighlyAvailableDeployment()
                        .withJob(JobState.FINISHED, 0)
                        .withCheckpoint("file:/c/7");

        assertThat(finished.decide().actions()).isEmpty();
        assertThat(finished.decided().later(Duration.ofHours(25)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(finished.decided().withJob(new JobView.NotListed()).decide().reason())
                .isEqualTo(Reason.JOB_FINISHED);
    }

    @Test
    void keepsTheJobManagerOfAnEndedJobForAsLongAsTheUserSays() {
        var finished =
                aHighlyAvailableDeployment()
                        .withConfiguration(
                                "kubernetes.operator.jm-deployment.shutdown-ttl", "10 min")
                        .decided()
                        .withJob(JobState.FINISHED, 0)
                        .withCheckpoint("file:/c/7")
                        .decided();

        assertThat(finished.later(Duration.ofMinutes(9)).decide().actions()).isEmpty();
        assertThat(finished.later(Duration.ofMinutes(11)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void recordsTheStateOfAnEndedStatelessJobForAModeThatWillAskForIt() {
        var failed =
                aRunningDeployment("stateless")
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/7")
                        .decided();

        var mended = failed.withSpec(Specs.application("mended", "last-state")).decided();

        assertThat(startOf(mended.withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/7"));
    }

    @Test
    void anEndOnRecordOutlivesItsJobManager() {
        var ended =
                Snapshots.aNewResource("stateless")
                        .withSpec(
                                Specs.highlyAvailable(Specs.application("flink:1.20", "stateless")))
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withJob(JobState.FINISHED, 0)
                        .decided()
                        .withJobManagerDown();

        assertThat(state(ended)).contains(JobState.FINISHED);
        assertThat(state(ended.withPodProblem("CrashLoopBackOff", "pod p")))
                .contains(JobState.FINISHED);
    }

    @Test
    void neverStartsATerminalJobAgain() {
        for (JobState end :
                new JobState[] {JobState.FAILED, JobState.FINISHED, JobState.CANCELED}) {
            var ended = aRunningDeployment().withJob(end, 0).decided();

            assertThat(ended.decide().actions()).isEmpty();
            assertThat(ended.withNothingLeft().decide().actions()).isEmpty();
        }
    }

    @Test
    void removesAJobManagerThatWouldRunAnEndedJobAgain() {
        var ended = aRunningDeployment().withJob(JobState.FINISHED, 0).decided();

        for (var restarted :
                List.of(
                        ended.withJobManager(false),
                        ended.withJob(JobState.INITIALIZING, 0),
                        ended.withJob(JobState.RUNNING, 2))) {
            var decision = restarted.decide();

            assertThat(decision.reason()).isEqualTo(Reason.JOB_FINISHED);
            assertThat(decision.status().jobStatus().state()).contains(JobState.FINISHED);
            assertThat(decision.actions())
                    .containsExactly(new Action.DeleteCluster("deployment-1"));
        }
    }

    private static Optional<JobState> state(Snapshots snapshots) {
        return snapshots.decide().status().jobStatus().state();
    }
}
