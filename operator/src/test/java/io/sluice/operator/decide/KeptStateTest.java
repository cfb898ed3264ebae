// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobState;
import io.sluice.api.ReconciliationState;
import io.sluice.api.ReconciliationStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users do that once cost a job its state: going back, changing modes, changing defaults. */
class KeptStateTest {
    private static final String OLD = "file:/months-ago";
    private static final String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";
    private static final Map<String, String> HIGHLY_AVAILABLE =
            Map.of(
                    "high-availability.type",
                    "kubernetes",
                    "high-availability.storageDir",
                    "file:///ha");

    // A spec that is what runs, or what ran before a redeployment.

    @Test
    void doesNotRedeployTheSpecThatARollbackHasDeployed() {
        var rolledBack = rollingBack().decided();
        assertThat(rolledBack.observed().status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.ROLLED_BACK);

        var reverted = rolledBack.withSpec(former());

        assertThat(reverted.decide().actions()).isEmpty();
        assertThat(reverted.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(reverted.decided().decide().actions()).isEmpty();
    }

    @Test
    void goesOnWithARollbackOfARedeploymentWhenTheUserAsksForTheSpecItDeploys() {
        var started = failedRedeployment().decided().withNothingLeft();
        assertThat(started.observed().status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.ROLLING_BACK);

        var reverted = started.withSpec(former());

        assertThat(from(reverted.decide())).isEqualTo(new StartFrom.Savepoint("file:/s/b"));
        var running = reverted.decided().withJobManager(true).withJob(JobState.RUNNING, 2);
        assertThat(running.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(running.decide().status().attempt().rolledBack()).isFalse();
    }

    @Test
    void keepsTheLastStateOfTheJobThatARedeploymentReplacesOnRecordUntilTheNewOneRuns() {
        var redeployed = running().withCheckpointSeen("file:/c/9").withSpec(latter()).decided();

        var replaced = redeployed.observed().status().attempt().replaced().orElseThrow();
        assertThat(replaced.jobId())
                .isEqualTo(running().observed().status().jobStatus().jobId().orElseThrow());
        assertThat(replaced.lastCheckpoint().orElseThrow().path()).isEqualTo("file:/c/9");

        var creating = redeployed.withNothingLeft();
        assertThat(((Action.CreateCluster) creating.decide().actions().getFirst()).plan())
                .satisfies(plan -> assertThat(plan.replacedJob()).contains(replaced.jobId()));
        var proven = creating.decided().withJobManager(true).withJob(JobState.RUNNING, 2).decided();
        assertThat(proven.observed().status().attempt().replaced()).isEmpty();
    }

    @Test
    void goesOnWithTheJobBeforeARedeploymentThatIsUndone() {
        var before = aHighlyAvailableDeployment();
        String job = before.observed().status().jobStatus().jobId().orElseThrow();
        ObjectNode spec = Specs.highlyAvailable(Specs.application("flink:1.20", "last-state"));
        var undone =
                before.withSpec(Specs.redeployed(spec, OLD, 1))
                        .decided()
                        .withJobManager(false)
                        .withSpec(spec.deepCopy());
        // To no nonce at all is no redeployment: back to another one is.
        var stable = running(Specs.redeployed(spec, OLD, 1)).withRecovery();
        String stableJob = stable.observed().status().jobStatus().jobId().orElseThrow();
        var reverted =
                stable.withSpec(Specs.redeployed(Specs.withImage(spec, "new"), "file:/b", 2))
                        .decided()
                        .withNothingLeft()
                        .withRecoveryOf(stableJob)
                        .withSpec(Specs.redeployed(spec, OLD, 1));

        assertThat(undone.decide().actions()).noneMatch(Action.CreateCluster.class::isInstance);
        assertThat(from(reverted.decide())).isEqualTo(new StartFrom.LastState());
        assertThat(reverted.decide().status().jobStatus().jobId()).contains(stableJob);
        assertThat(reverted.decide().notes())
                .filteredOn(event -> event.reason().equals("SpecChanged"))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("is undone"));
        assertThat(job).isNotEmpty();
    }

    @Test
    void asksAHumanWhereTheStateBeforeARedeploymentThatIsUndoneIsOnlyAHint() {
        var reverted =
                running()
                        .withCheckpointSeen("file:/c/9")
                        .withSpec(latter())
                        .decided()
                        .withNothingLeft()
                        .withSpec(former());

        assertThat(reverted.decide().reason()).isEqualTo(Reason.REDEPLOYMENT_REVERTED);
        assertThat(reverted.decide().detail()).contains("file:/c/9");
    }

    /** It has run for months since it was started from {@link #OLD}. */
    private static Snapshots running() {
        return running(former());
    }

    private static Snapshots running(ObjectNode spec) {
        return aNewResource("savepoint")
                .withSpec(spec)
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    private static ObjectNode former() {
        return Specs.asking(
                Specs.redeployed(Specs.application("flink:1.20", "savepoint"), OLD, 1), ROLLBACK);
    }

    private static ObjectNode latter() {
        return Specs.redeployed(Specs.withImage(former(), "flink:bad"), "file:/s/b", 2);
    }

    /** What was redeployed never comes up, and makes way for the spec before. */
    private static Snapshots failedRedeployment() {
        return running()
                .withSpec(latter())
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(false)
                .withJob(new JobView.NotAsked())
                .decided()
                .later(Duration.ofMinutes(6));
    }

    private static Snapshots rollingBack() {
        return failedRedeployment()
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2);
    }

    // A job that ends while its mode is being changed.

    @Test
    void recordsNoEndWithoutItsStateWhileAnEditAsksForState() {
        for (String mode : new String[] {"last-state", "savepoint"}) {
            var failed =
                    aRunningDeployment("stateless")
                            .withSpec(Specs.application("new", mode))
                            .withJob(JobState.FAILED, 0);

            var unread = failed.withLast(new LastCheckpoints.Unread("it ended just now"));

            assertThat(unread.decide().reason()).as(mode).isEqualTo(Reason.STATE_UNREAD);
            assertThat(unread.decide().actions()).as(mode).isEmpty();
            var told = unread.decided().withCheckpoint("file:/c/7").decided().withNothingLeft();
            assertThat(from(told.decide()))
                    .as(mode)
                    .isEqualTo(new StartFrom.Savepoint("file:/c/7"));
        }
    }

    @Test
    void waitsForTheStateOfAStatelessJobWhoseEndIsOnRecordWithoutIt() {
        var ended =
                aRunningDeployment("stateless")
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Unread("it ended just now"))
                        .decided();

        var edited = ended.withSpec(Specs.application("new", "savepoint"));

        assertThat(edited.decide().actions()).isEmpty();
        assertThat(edited.withNothingLeft().withJob(new JobView.NotAsked()).decide().reason())
                .isEqualTo(Reason.STATE_LOST);
        assertThat(from(edited.withCheckpoint("file:/c/7").decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/7"));
    }

    @Test
    void startsNoStatelessJobAgainByItselfWhileAnEditAsksForItsState() {
        var gone =
                aRunningDeployment("stateless")
                        .withSpec(Specs.application("new", "savepoint"))
                        .withNothingLeft()
                        .withJob(new JobView.NotAsked());

        assertThat(gone.decide().actions()).isEmpty();
        assertThat(gone.decided().decide().actions()).isEmpty();
    }

    @Test
    void startsNoStatelessJobAgainByItselfWhileASpecThatIsHeldAsksForItsState() {
        ObjectNode asked = Specs.broken(Specs.application("new", "savepoint"));
        var held = SpecView.Invalid.of(asked, Reason.VALIDATING, List.of());
        var gone =
                aRunningDeployment("stateless")
                        .withSpec(held)
                        .withNothingLeft()
                        .withJob(new JobView.NotAsked());
        var stateless =
                SpecView.Invalid.of(
                        Specs.application("new", "stateless"), Reason.VALIDATING, List.of());

        assertThat(gone.decide().actions()).isEmpty();
        assertThat(from(gone.withSpec(stateless).decide())).isEqualTo(new StartFrom.Nothing());
    }

    // A job that has made no checkpoint.

    @Test
    void startsAJobWithoutCheckpointingFromTheSavepointThatItMade() {
        var failed =
                aSavingDeployment()
                        .later(Duration.ofMinutes(1))
                        .withSavepoint(1, "file:/s/1")
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE))
                        .decided();

        assertThat(from(failed.withImage("new").decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void stopsAJobWithoutCheckpointsWithASavepoint() {
        var saving =
                aSavingDeployment()
                        .withSpec(savingTo("last-state", "new"))
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE));

        assertThat(saving.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @Test
    void leavesAJobWithoutCheckpointsRunningWhereThereIsNoFolderForASavepoint() {
        var edited =
                aRunningDeployment("savepoint")
                        .withSpec(Specs.application("new", "last-state"))
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE));

        assertThat(edited.decide().reason()).isEqualTo(Reason.NO_CHECKPOINT);
        assertThat(edited.decide().actions()).isEmpty();
        assertThat(edited.withCheckpoint("file:/c/1").decide().actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);
    }

    @Test
    void cancelsNothingBeforeTheJobManagerHasToldOfTheJobsCheckpoints() {
        var edited =
                aRunningDeployment("savepoint")
                        .withSpec(Specs.application("new", "last-state"))
                        .withLast(new LastCheckpoints.Unread("timed out"));

        assertThat(edited.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
    }

    private static ObjectNode savingTo(String mode, String image) {
        return Specs.configured(
                Specs.application(image, mode),
                "execution.checkpointing.savepoint-dir",
                "file:///s");
    }

    // Defaults that change under a job that runs.

    @Test
    void doesNotTakeTheSavepointOfAnotherRunWhenHighAvailabilityBecameTheDefaultMeanwhile() {
        var stopping = aRunningDeployment("savepoint").withImage("new").decided();

        var anew =
                stopping.withDefaults(HIGHLY_AVAILABLE)
                        .withJobOfAnotherRun(JobState.RUNNING, 2)
                        .withStop(new SavepointStatus.Completed("file:/s/empty"));

        assertThat(anew.decide().reason()).isEqualTo(Reason.STATE_IN_DOUBT);
        assertThat(anew.decide().actions()).isEmpty();
    }

    @Test
    void removesTheJobManagerOfAFailedJobThatWasStartedWithoutHighAvailability() {
        var failed =
                aRunningDeployment("savepoint")
                        .withDefaults(HIGHLY_AVAILABLE)
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/7");

        assertThat(failed.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void usesTodaysDefaultsForTheNextAttempt() {
        var next =
                aRunningDeployment("savepoint")
                        .withDefaults(HIGHLY_AVAILABLE)
                        .withImage("new")
                        .decided()
                        .withStop(new SavepointStatus.Completed("file:/s/1"))
                        .decided()
                        .withNothingLeft();

        var started = next.decide().status().attempt().startedWith().orElseThrow();
        assertThat(started.options()).containsEntry("high-availability.type", "kubernetes");
    }

    // A path that is gone from the status.

    @Test
    void doesNotResumeFromNothingWhereThePathOfTheSavepointIsGone() {
        var resumed = suspended().withoutPath().withState("running");

        assertThat(resumed.decide().actions()).isEmpty();
        assertThat(resumed.decide().reason()).isEqualTo(Reason.STATE_LOST);
    }

    /** Of the failed job nothing is on record but the path that the next attempt starts from. */
    @Test
    void startsNothingFromNothingWhereThePathIsGoneThatTheAttemptWasToStartFrom() {
        var upgrading =
                aDeployment("savepoint")
                        .withJobManager(true)
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/1")
                        .decided()
                        .withImage("new")
                        .decided()
                        .withNothingLeft();

        assertThat(from(upgrading.decide())).isEqualTo(new StartFrom.Savepoint("file:/c/1"));
        assertThat(upgrading.withoutPath().decide().actions()).isEmpty();
        assertThat(upgrading.withoutPath().decide().reason()).isEqualTo(Reason.RESTORE_FAILED);
    }

    /** Without checkpoints a JobManager does not tell either what the job was restored from. */
    @Test
    void doesNotTakeForNothingWhatAJobThatTellsOfNoStateWasStartedFrom() {
        var failed =
                suspended()
                        .withState("running")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withoutPath()
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE));

        var edited = failed.decided().withImage("new");

        assertThat(failed.withImage("new").decide().reason()).isEqualTo(Reason.STATE_LOST);
        assertThat(edited.decide().reason()).isEqualTo(Reason.STATE_LOST);
    }

    @Test
    void doesNotTakeForNothingTheCheckpointThatAJobWithoutSavepointsWasStartedFrom() {
        var upgraded =
                aDeployment("savepoint")
                        .withJobManager(true)
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/1")
                        .decided()
                        .withImage("new")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();
        var failed =
                upgraded.withoutPath()
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE));

        assertThat(upgraded.savepoints().last()).isEmpty();
        assertThat(failed.decided().withImage("newer").decide().reason())
                .isEqualTo(Reason.STATE_LOST);
    }

    @Test
    void startsAgainFromNothingAJobWithoutStateThatBeganSo() {
        var begun =
                aRunningDeployment("savepoint")
                        .withJob(JobState.FINISHED, 0)
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE))
                        .decided()
                        .withImage("new")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();
        var again =
                begun.withJob(JobState.FINISHED, 0)
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE))
                        .decided()
                        .withImage("newer")
                        .decided();

        assertThat(begun.observed().status().attempt().startsEmpty()).isFalse();
        assertThat(from(again.withNothingLeft().decide())).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void resumesFromTheSavepointThatIsOnRecord() {
        assertThat(from(suspended().withState("running").decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void resumesFromNothingAJobThatIsKnownToHaveMadeNoState() {
        var ended =
                aRunningDeployment("savepoint")
                        .withJob(JobState.FINISHED, 0)
                        .withLast(new LastCheckpoints.Told(Checkpoints.NONE))
                        .decided()
                        .withImage("new");

        assertThat(from(ended.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Nothing());
    }

    private static Snapshots suspended() {
        return aSavingDeployment()
                .withState("suspended")
                .decided()
                .withStop(new SavepointStatus.Completed("file:/s/1"))
                .withJob(JobState.FINISHED, 0)
                .decided()
                .withNothingLeft()
                .withJob(new JobView.NotAsked())
                .decided();
    }

    // Metadata of another version.

    @Test
    void givesMetadataToNoOtherVersionWhateverIsEditedWhileTheJobIsAtRest() {
        ObjectNode spec = Specs.highlyAvailable(Specs.application("flink:1.20", "last-state"));
        ObjectNode rest = Specs.withState(spec, "suspended");
        ObjectNode stateless = rest.deepCopy();
        stateless.withObject("/job").put("upgradeMode", "stateless");
        ObjectNode saving = rest.deepCopy();
        saving.withObject("/job").put("upgradeMode", "savepoint");
        var resting =
                aHighlyAvailableDeployment()
                        .withSpec(rest)
                        .decided()
                        .withNothingLeft()
                        .withJob(new JobView.NotAsked())
                        .decided();

        var edited =
                resting.withSpec(Specs.withVersion(rest, "v2_0"))
                        .decided()
                        .withSpec(Specs.withVersion(stateless, "v2_0"))
                        .decided()
                        .withSpec(Specs.withVersion(saving, "v2_0"))
                        .decided();
        var resumed =
                edited.withSpec(Specs.withState(Specs.withVersion(saving, "v2_0"), "running"));

        assertThat(resumed.decide().actions()).isEmpty();
        assertThat(resumed.decide().reason()).isEqualTo(Reason.LAST_STATE_UNUSABLE);
        assertThat(from(edited.withSpec(Specs.withState(saving, "running")).decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    // A JobManager that begins the job anew.

    @Test
    void tellsThatAJobManagerWithoutHighAvailabilityHasBegunTheJobAnew() {
        var anew = begunAnew();

        assertThat(anew.decide().reason()).isEqualTo(Reason.JOB_BEGAN_ANEW);
        assertThat(anew.decide().reason().wire()).isEqualTo("StateLost");
        assertThat(anew.decide().detail()).contains("file:/c/9");
        assertThat(anew.decide().notes()).extracting(ResourceEvent::reason).contains("StateLost");
        assertThat(anew.decided().decide().reason()).isEqualTo(Reason.JOB_BEGAN_ANEW);
        assertThat(anew.decided().decide().status()).isEqualTo(anew.decided().observed().status());
    }

    @Test
    void takesNothingThatTheNewRunMakesForTheStateOfTheOneBefore() {
        var edited = begunAnew().decided().withCheckpoint("file:/c/empty").withImage("new");
        var ended = begunAnew().decided().withCheckpoint("file:/c/empty");

        assertThat(edited.decide().reason()).isEqualTo(Reason.JOB_BEGAN_ANEW);
        assertThat(edited.decide().actions()).isEmpty();
        assertThat(
                        ended.withJobOfAnotherRun(JobState.FINISHED, 0)
                                .decide()
                                .status()
                                .jobStatus()
                                .upgradeSavepointPath())
                .isNotEqualTo(Optional.of("file:/c/empty"));
    }

    @Test
    void startsFromTheSavepointThatAUserNamesOnceTheJobHasBegunAnew() {
        ObjectNode named =
                Specs.redeployed(Specs.application("flink:1.20", "savepoint"), "file:/c/9", 1);

        assertThat(begunAnew().decided().withSpec(named).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void takesTheNewRunForTheJobWhereItIsMadeStateless() {
        var kept = begunAnew().decided().withSpec(Specs.application("flink:1.20", "stateless"));
        var back = kept.decided().withSpec(Specs.application("flink:1.20", "savepoint"));

        assertThat(kept.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(back.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void restartsFromTheLastKnownStateWhereAnOptionSaysSo() {
        var anew =
                aRunningDeployment("savepoint")
                        .withConfiguration("kubernetes.operator.job.restart.lost-state", "true")
                        .decided()
                        .withCheckpointSeen("file:/c/9")
                        .withJobOfAnotherRun(JobState.RUNNING, 2);

        assertThat(anew.decide().reason()).isEqualTo(Reason.RESTARTING_LOST_RUN);
        assertThat(from(anew.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/9"));
    }

    @Test
    void takesARestartOfAHighlyAvailableJobManagerForNoLoss() {
        assertThat(aHighlyAvailableDeployment().withJobOfAnotherRun(JobState.RUNNING, 2).decide())
                .satisfies(it -> assertThat(it.reason()).isEqualTo(Reason.JOB_RUNNING));
    }

    private static Snapshots begunAnew() {
        return aRunningDeployment("savepoint")
                .withCheckpointSeen("file:/c/9")
                .withJobOfAnotherRun(JobState.RUNNING, 2);
    }

    // A status that does not say what runs.

    @Test
    void beginsNothingWhereTheLastReconciledSpecCannotBeRead() {
        var cut = aRunningDeployment("savepoint");
        var status = withLastSpec(cut, Optional.of("{\"spec\":{\"job\""));

        assertThat(cut.withStatus(status).decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(cut.withStatus(status).withNothingLeft().decide().actions()).isEmpty();
    }

    @Test
    void beginsNothingWhereAClusterOfItsOwnStandsBesideAnEmptyStatus() {
        var wiped =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW);

        assertThat(wiped.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(wiped.decide().actions()).isEmpty();
    }

    @Test
    void staysSoWhenTheClusterIsGoneUntilTheSpecSaysWhatToStartFrom() {
        var gone =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW)
                        .decided()
                        .withNothingLeft();
        ObjectNode named =
                Specs.redeployed(Specs.application("flink:1.20", "savepoint"), "file:/s/1", 1);

        assertThat(gone.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(from(gone.withSpec(named).decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void staysSoWhileTheSpecIsInvalid() {
        var invalid =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW)
                        .decided()
                        .withNothingLeft()
                        .withInvalidSpec("image")
                        .decided();

        assertThat(invalid.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(invalid.decide().detail()).contains("image");
        assertThat(invalid.withSpec(Specs.application("new", "savepoint")).decide().actions())
                .isEmpty();
    }

    @Test
    void leavesAClusterAloneThatWasMadeByHandAfterTheFirstAttemptWasRefused() {
        var refused = aNewResource("stateless").decided().withRefusal("quota exceeded").decided();
        var theirs = refused.withJobManagerOfTheirs();

        assertThat(theirs.decide().actions()).isEmpty();
        assertThat(theirs.withImage("new").decide().actions()).isEmpty();
        assertThat(theirs.withState("suspended").decide().actions()).isEmpty();
        assertThat(theirs.decide().detail()).contains("not made for it");
    }

    private static FlinkDeploymentStatus withLastSpec(Snapshots snapshots, Optional<String> spec) {
        FlinkDeploymentStatus status = snapshots.observed().status();
        var reconciliation = status.reconciliationStatus();
        return new FlinkDeploymentStatus(
                status.jobStatus(),
                status.error(),
                status.observedGeneration(),
                status.lifecycleState(),
                status.clusterInfo(),
                status.jobManagerDeploymentStatus(),
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        spec,
                        reconciliation.lastStableSpec(),
                        reconciliation.state()),
                status.taskManager(),
                status.attempt(),
                status.conditions());
    }

    private static StartFrom from(Decision decision) {
        return decision.actions().stream()
                .filter(Action.CreateCluster.class::isInstance)
                .map(action -> ((Action.CreateCluster) action).plan().from())
                .findFirst()
                .orElseThrow(() -> new AssertionError(decision.reason() + decision.detail()));
    }
}
