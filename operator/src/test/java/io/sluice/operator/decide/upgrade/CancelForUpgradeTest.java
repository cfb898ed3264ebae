// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aCheckpointedDeployment;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A changed spec, and a job that is cancelled for it if its checkpoints outlive that. */
class CancelForUpgradeTest {
    private static final SavepointStatus DONE = new SavepointStatus.Completed("file:/s/1");

    @Test
    void cancelsWhereThereIsNoMetadataAndTakesTheLastCheckpoint() {
        var cancelling = aCheckpointedDeployment().withImage("new");
        var canceled = cancelling.decided().withJob(JobState.CANCELED, 0);

        assertThat(cancelling.decide().actions()).hasOnlyElementsOfType(Action.CancelJob.class);
        assertThat(cancelling.decide().status().jobStatus().state()).contains(JobState.CANCELLING);
        assertThat(canceled.withLast(new LastCheckpoints.Unread("late")).decide().actions())
                .isEmpty();
        var next = canceled.withCheckpoint("file:/c/7").decided().withNothingLeft().decide();
        assertThat(startOf(next)).isEqualTo(new StartFrom.Savepoint("file:/c/7"));
    }

    @Test
    void cancelsAJobForItsLastStateWhereTheUserSaysSo() {
        var upgrading =
                aHighlyAvailableDeployment()
                        .withConfiguration(
                                "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled",
                                "true")
                        .withImage("new")
                        .decide();

        assertThat(upgrading.actions()).hasOnlyElementsOfType(Action.CancelJob.class);
    }

    @Test
    void cancelsNoJobWhoseCheckpointsWouldGoWithThat() {
        for (JobState state : List.of(JobState.RUNNING, JobState.RESTARTING)) {
            var changed =
                    aRunningDeployment("last-state")
                            .withJob(state, state == JobState.RUNNING ? 2 : 0)
                            .withoutRetention()
                            .withImage("new");

            assertThat(changed.decide().reason()).isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
            assertThat(changed.decide().actions()).isEmpty();
            assertThat(changed.decide().status().attempt().stop()).isEmpty();
            assertThat(changed.decide().notes())
                    .extracting(ResourceEvent::reason)
                    .contains("CheckpointsNotRetained");
        }
    }

    @Test
    void doesNotFallBackToACancellationThatDeletesTheState() {
        var restarting =
                aRunningDeployment("savepoint").withJob(JobState.RESTARTING, 0).withImage("new");

        assertThat(restarting.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(restarting.withoutRetention().decide().actions()).isEmpty();
        assertThat(restarting.withoutRetention().decide().reason())
                .isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
    }

    @Test
    void waitsForAJobThatDoesNotRunWhereLastStateWouldNotDo() {
        String fallback = "kubernetes.operator.job.upgrade.last-state-fallback.enabled";
        var spec = Specs.highlyAvailable(Specs.application("flink:1.20", "savepoint"));
        var restarting =
                Snapshots.aNewResource("savepoint")
                        .withSpec(spec)
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .decided()
                        .withRecovery()
                        .withJob(JobState.RESTARTING, 0)
                        .withImage("new");

        assertThat(restarting.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(restarting.withConfiguration(fallback, "false").decide().reason())
                .isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
    }

    @Test
    void stopsAJobWithASavepointWhoseCheckpointsWouldGoWithItsCancellation() {
        var changed =
                aRunningDeployment("last-state")
                        .withoutRetention()
                        .withConfiguration("execution.checkpointing.savepoint-dir", "file:///s");

        assertThat(changed.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.StopWithSavepoint.class,
                        action -> assertThat(action.request().folder()).contains("file:///s"));
        var next = changed.decided().withStop(DONE).decided().withNothingLeft().decide();
        assertThat(startOf(next)).isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void waitsUntilItIsToldWhetherACancellationLeavesTheCheckpoints() {
        var untold =
                aRunningDeployment("last-state")
                        .withRetention(new Retention.Unread("HTTP 500: sorry"))
                        .withImage("new");

        assertThat(untold.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(untold.decide().detail()).isEqualTo("HTTP 500: sorry");
        assertThat(untold.decide().actions()).isEmpty();
        assertThat(untold.withRetention(new Retention.NotAsked()).decide().actions()).isEmpty();
    }

    /** Flink tells of the last checkpoint only seconds after the end, and the job is down. */
    @Test
    void looksForTheLastCheckpointOfACancelledJobAsOftenAsForItsEnd() {
        var ended =
                aCheckpointedDeployment()
                        .withImage("new")
                        .decided()
                        .withJob(JobState.CANCELED, 0)
                        .withLast(new LastCheckpoints.Unread("it has just ended"));

        assertThat(ended.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(ended.decide().checkAgain()).contains(Duration.ofMillis(250));
        assertThat(ended.later(Duration.ofSeconds(2)).decide().checkAgain())
                .contains(Duration.ofMillis(500));
    }

    @Test
    void leavesAJobInItsMetadataWhateverACancellationWouldDelete() {
        var changed = aHighlyAvailableDeployment().withoutRetention().withImage("new");

        assertThat(changed.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(startOf(changed.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void doesNotRepeatACancellationThatWouldDeleteTheState() {
        var recorded = aCheckpointedDeployment().withImage("new").decided();

        assertThat(recorded.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(recorded.withoutRetention().decide().actions()).isEmpty();
        assertThat(recorded.withoutRetention().decide().reason())
                .isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
        assertThat(recorded.withRetention(new Retention.Unread("late")).decide().actions())
                .isEmpty();
        assertThat(recorded.withoutRetention().withJob(JobState.CANCELLING, 0).decide().reason())
                .isEqualTo(Reason.JOB_CANCELLING);
    }
}
