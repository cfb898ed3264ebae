// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRecoverableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.anUpgradeThatFails;
import static io.sluice.operator.decide.Snapshots.anUpgradeThatNeverComesUp;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A spec that does not become stable in time. */
class RollbackTest {
    private static final String ENABLED = "kubernetes.operator.deployment.rollback.enabled";
    private static final Duration TIMEOUT = Duration.ofMinutes(6);

    @Test
    void waitsForTheReadinessTimeout() {
        var failing = anUpgradeThatFails("stateless");

        assertThat(failing.later(Duration.ofMinutes(4)).decide().reason())
                .isEqualTo(Reason.JOB_RESTARTING);
        assertThat(failing.later(TIMEOUT).decide().reason()).isEqualTo(Reason.ROLLING_BACK);
    }

    @Test
    void waitsForAsLongAsTheUserSays() {
        var failing =
                aRunningDeployment()
                        .withConfiguration(ENABLED, "true")
                        .withConfiguration(
                                "kubernetes.operator.deployment.readiness.timeout", "1 min")
                        .decided()
                        .withImage("flink:bad")
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RESTARTING, 0)
                        .decided();

        assertThat(failing.later(Duration.ofSeconds(50)).decide().reason())
                .isEqualTo(Reason.JOB_RESTARTING);
        assertThat(failing.later(Duration.ofSeconds(70)).decide().reason())
                .isEqualTo(Reason.ROLLING_BACK);
    }

    @Test
    void doesNothingUnlessItIsEnabled() {
        var failing =
                aRunningDeployment()
                        .withImage("flink:bad")
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RESTARTING, 0)
                        .decided();

        assertThat(failing.later(TIMEOUT).decide().reason()).isEqualTo(Reason.JOB_RESTARTING);
    }

    @Test
    void leavesAFirstDeploymentAloneAsThereIsNothingToGoBackTo() {
        var failing =
                Snapshots.aNewResource()
                        .withConfiguration(ENABLED, "true")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RESTARTING, 0)
                        .decided();

        assertThat(failing.later(TIMEOUT).decide().reason()).isEqualTo(Reason.JOB_RESTARTING);
    }

    @Test
    void deploysTheLastStableSpecAndKeepsTheFailedOneOnRecord() {
        var started = anUpgradeThatFails("stateless").later(TIMEOUT);

        assertThat(started.decide().notes()).extracting(ResourceEvent::reason).contains("Rollback");
        assertThat(started.decide().actions()).hasOnlyElementsOfType(Action.CancelJob.class);
        assertThat(started.decided().withCluster(started.observed().cluster()).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(started.decide().status().lifecycleState())
                .contains(LifecycleState.ROLLING_BACK);
        var created = started.decided().withNothingLeft();
        assertThat(plan(created.decide()).spec().image()).contains("flink:1.20");
        var reconciliation = created.decide().status().reconciliationStatus();
        assertThat(reconciliation.state()).isEqualTo(ReconciliationState.ROLLING_BACK);
        assertThat(reconciliation.lastReconciledSpec().orElseThrow()).contains("flink:bad");
        assertThat(reconciliation.lastStableSpec().orElseThrow()).contains("flink:1.20");
    }

    @Test
    void staysRolledBackUntilTheUserEditsTheSpec() {
        var back = rolledBack(anUpgradeThatFails("stateless"));

        assertThat(back.decide().reason()).isEqualTo(Reason.ROLLED_BACK);
        assertThat(back.decide().status().lifecycleState()).contains(LifecycleState.ROLLED_BACK);
        assertThat(back.later(Duration.ofHours(1)).decide().actions()).isEmpty();
        assertThat(back.decide().status().reconciliationStatus().isStable()).isFalse();
        assertThat(back.decided().decide().status()).isEqualTo(back.decided().observed().status());
    }

    @Test
    void tellsInTheConditionsThatTheCurrentSpecDoesNotRun() {
        var status = rolledBack(anUpgradeThatFails("stateless")).decide().status();

        assertThat(status.condition("Ready").orElseThrow().status().wire()).isEqualTo("False");
        assertThat(status.condition("Stalled").orElseThrow().message()).contains("last stable");
    }

    @Test
    void triesTheNextEditOfARolledBackSpec() {
        var edited = rolledBack(anUpgradeThatFails("stateless")).withImage("flink:mended");

        assertThat(edited.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(edited.decide().status().lifecycleState()).contains(LifecycleState.UPGRADING);
        var started = edited.decided().withNothingLeft();
        assertThat(plan(started.decide()).spec().image()).contains("flink:mended");
        var running = started.decided().withJobManager(true).withJob(JobState.RUNNING, 2);
        assertThat(running.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(running.decide().status().attempt().rolledBack()).isFalse();
    }

    @Test
    void restartsNothingWhenTheUserAsksForWhatRunsAlready() {
        var reverted =
                rolledBack(anUpgradeThatFails("stateless")).decided().withImage("flink:1.20");

        assertThat(reverted.decide().actions()).isEmpty();
        assertThat(reverted.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(reverted.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void givesWayToAnEditWhileItIsUnderWay() {
        var edited =
                anUpgradeThatFails("stateless")
                        .later(TIMEOUT)
                        .decided()
                        .withImage("flink:mended")
                        .decided();

        assertThat(edited.observed().status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.UPGRADING);
        assertThat(plan(edited.withNothingLeft().decide()).spec().image()).contains("flink:mended");
    }

    @Test
    void givesWayToASuspensionWhileItIsUnderWay() {
        var suspended =
                anUpgradeThatNeverComesUp("savepoint")
                        .later(TIMEOUT)
                        .decided()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft();

        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        var resumed = suspended.decided().withState("running").decide();
        assertThat(plan(resumed).from()).isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void passesOverASpecThatWasEditedAtRestAndNeverRan() {
        var atRest =
                aRunningDeployment()
                        .withConfiguration(ENABLED, "true")
                        .decided()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withImage("flink:bad")
                        .decided();
        var failing =
                atRest.withState("running")
                        .withImage("flink:worse")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RESTARTING, 0)
                        .decided();

        var back = failing.later(TIMEOUT).decided();

        assertThat(back.observed().status().lifecycleState()).contains(LifecycleState.ROLLING_BACK);
        assertThat(plan(back.withNothingLeft().decide()).spec().image()).contains("flink:1.20");
    }

    @Test
    void goesBackToTheSavepointThatAJobManagerWasToStartFromAndNeverDid() {
        var back = anUpgradeThatNeverComesUp("savepoint").later(TIMEOUT).decided();

        assertThat(plan(back.withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void goesOnFromTheCheckpointsOfAJobThatCameUpBeforeItsClusterWasGone() {
        var failing =
                aRecoverableDeployment(
                                Specs.highlyAvailable(Specs.application("flink:1.20", "savepoint")))
                        .withConfiguration(ENABLED, "true")
                        .decided()
                        .withImage("flink:bad")
                        .withUpgradeDone()
                        .withJobManagerNeverUp()
                        .decided();

        var back = failing.later(TIMEOUT).decided();

        assertThat(back.observed().status().jobStatus().jobId())
                .isEqualTo(failing.observed().status().jobStatus().jobId());
        assertThat(plan(back.withRecovery().withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void goesBackWithTheLastStateInMetadata() {
        var failing =
                aHighlyAvailableDeployment()
                        .withConfiguration(ENABLED, "true")
                        .decided()
                        .withImage("flink:bad")
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RESTARTING, 0)
                        .decided()
                        .withRecovery();

        var back = failing.later(TIMEOUT).decided();

        assertThat(plan(back.withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.LastState());
        assertThat(plan(back.withNothingLeft().decide()).jobId())
                .isEqualTo(failing.observed().status().jobStatus().jobId().orElseThrow());
    }

    @Test
    void cancelsAJobWithoutMetadataAndTakesItsLastCheckpointAlong() {
        var cancelling = anUpgradeThatFails("savepoint").later(TIMEOUT);

        assertThat(cancelling.decide().status().attempt().stop().orElseThrow().how())
                .isEqualTo(StopStatus.How.CANCEL);
        assertThat(cancelling.decide().status().lifecycleState())
                .contains(LifecycleState.ROLLING_BACK);
        var cancelled =
                cancelling
                        .decided()
                        .withJob(JobState.CANCELED, 0)
                        .withCheckpoint("file:/c/9")
                        .decided()
                        .withNothingLeft();
        assertThat(plan(cancelled.decide()).from()).isEqualTo(new StartFrom.Savepoint("file:/c/9"));
        assertThat(plan(cancelled.decide()).spec().image()).contains("flink:1.20");
    }

    @Test
    void cancelsNoJobWhoseCheckpointsWouldGoWithThat() {
        var failing = anUpgradeThatFails("savepoint").later(TIMEOUT).withoutRetention().decide();

        assertThat(failing.actions()).isEmpty();
        assertThat(failing.status().attempt().stop()).isEmpty();
        assertThat(failing.reason()).isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
    }

    @Test
    void goesBackFromTheStateOfAJobThatFailedForGood() {
        var failed =
                anUpgradeThatFails("savepoint")
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/9")
                        .decided();

        var back = failed.later(TIMEOUT).decided().withNothingLeft();

        assertThat(plan(back.decide()).from()).isEqualTo(new StartFrom.Savepoint("file:/c/9"));
    }

    @Test
    void leavesAJobThatIsDoneOrWasCancelled() {
        for (JobState end : new JobState[] {JobState.FINISHED, JobState.CANCELED}) {
            var ended = anUpgradeThatFails("savepoint").withJob(end, 0).withCheckpoint("file:/c/9");

            assertThat(ended.later(TIMEOUT).decide().reason())
                    .isNotIn(Reason.ROLLING_BACK, Reason.JOB_CANCELLING);
            assertThat(ended.decided().later(TIMEOUT).decide().reason())
                    .isNotEqualTo(Reason.ROLLING_BACK);
        }
    }

    @Test
    void asksAHumanWhereTheStateIsNotKnown() {
        var lost = anUpgradeThatFails("savepoint").withNothingLeft().decided().later(TIMEOUT);

        assertThat(lost.decide().reason()).isEqualTo(Reason.ROLLBACK_UNAVAILABLE);
        assertThat(lost.decide().actions()).isEmpty();
        assertThat(lost.decide().status().condition("Stalled").orElseThrow().message())
                .contains("spec.job.savepointRedeployNonce", "spec.job.initialSavepointPath");
    }

    @Test
    void isNotStartedByOneCallThatIsLostAfterALongAbsence() {
        var silent = anUpgradeThatFails("stateless").withJob(new JobView.Unreachable("timed out"));

        assertThat(silent.later(TIMEOUT).decide().reason()).isNotEqualTo(Reason.ROLLING_BACK);
    }

    @Test
    void undoesASpecThatTheApiServerRefuses() {
        var refused =
                aRunningDeployment()
                        .withConfiguration(ENABLED, "true")
                        .decided()
                        .withImage("flink:bad")
                        .withUpgradeDone()
                        .withRefusal("quota exceeded");

        assertThat(plan(refused.later(TIMEOUT).decide()).spec().image()).contains("flink:1.20");
    }

    @Test
    void isNotUndoneByItself() {
        var back = rolledBack(anUpgradeThatFails("stateless")).withJob(JobState.RESTARTING, 0);

        assertThat(back.later(Duration.ofHours(1)).decide().reason())
                .isEqualTo(Reason.JOB_RESTARTING);
    }

    @Test
    void startsTheStableSpecAgainWhenItsJobManagerIsLost() {
        var lost = rolledBack(anUpgradeThatFails("stateless")).decided().withNothingLeft();

        assertThat(lost.decide().reason()).isEqualTo(Reason.JOB_MANAGER_RECOVERED);
        assertThat(plan(lost.decide()).spec().image()).contains("flink:1.20");
        assertThat(lost.decide().status().attempt().rolledBack()).isTrue();
    }

    @Test
    void isNotDueForASpecThatWasStableHoweverItIsStartedAgain() {
        var recovered =
                aHighlyAvailableDeployment()
                        .withConfiguration(ENABLED, "true")
                        .decided()
                        .later(Duration.ofHours(1))
                        .withNothingLeft()
                        .decided()
                        .withJobManager(false)
                        .decided();

        assertThat(recovered.observed().status().reconciliationStatus().isStable()).isFalse();
        assertThat(recovered.later(TIMEOUT).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_JOB_MANAGER);
    }

    @Test
    void staysRolledBackWhereTheStopOfTheNextEditFails() {
        var failed =
                rolledBack(anUpgradeThatNeverComesUp("savepoint"))
                        .decided()
                        .withSpec(Specs.application("flink:mended", "savepoint"))
                        .decided()
                        .withStop(new SavepointStatus.Failed("no such folder", Optional.empty()));

        assertThat(failed.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(failed.decide().status().lifecycleState()).contains(LifecycleState.ROLLED_BACK);
    }

    private static Snapshots rolledBack(Snapshots failing) {
        return failing.later(TIMEOUT)
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2);
    }
}
