// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static io.sluice.operator.decide.Snapshots.aStoppingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What users do that once cost a job its state: changing modes, defaults and versions, and removing
 * the path of a savepoint from the status.
 */
class KeptStateTest {
    private static final Map<String, String> HIGHLY_AVAILABLE =
            Map.of(
                    "high-availability.type",
                    "kubernetes",
                    "high-availability.storageDir",
                    "file:///ha");

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
            assertThat(startOf(told.decide()))
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
                .isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(startOf(edited.withCheckpoint("file:/c/7").decided().withNothingLeft().decide()))
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
        assertThat(startOf(gone.withSpec(stateless).decide())).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void startsAJobWithoutCheckpointingFromTheSavepointThatItMade() {
        var failed =
                aSavingDeployment()
                        .later(Duration.ofMinutes(1))
                        .withSavepoint(1, "file:/s/1")
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE))
                        .decided();

        assertThat(startOf(failed.withImage("new").decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    /** As one does that was started again after the job had ended. */
    @Test
    void doesNotTakeASavepointForTheLastStateWhereAJobManagerTellsOfNoneOfTheCheckpoints() {
        var failed =
                aSavingDeployment()
                        .later(Duration.ofMinutes(1))
                        .withSavepoint(1, "file:/s/1")
                        .withCheckpointSeen("file:/c/7")
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));
        var edited = failed.decided().withImage("new");

        assertThat(failed.withoutPath().withImage("new").decide().reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(edited.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(edited.decided().withNothingLeft().decide().actions()).isEmpty();
    }

    @Test
    void stopsAJobWithoutCheckpointsWithASavepoint() {
        var saving =
                aSavingDeployment()
                        .withSpec(savingTo("last-state", "new"))
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

        assertThat(saving.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @Test
    void leavesAJobWithoutCheckpointsRunningWhereThereIsNoFolderForASavepoint() {
        var edited =
                aRunningDeployment("savepoint")
                        .withSpec(Specs.application("new", "last-state"))
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

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

    @Test
    void doesNotTakeTheSavepointOfAnotherRunWhenHighAvailabilityBecameTheDefaultMeanwhile() {
        var stopping = aStoppingDeployment();

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

    @Test
    void doesNotResumeFromNothingWhereThePathOfTheSavepointIsGone() {
        var resumed = suspended().withoutPath().withState("running");

        assertThat(resumed.decide().actions()).isEmpty();
        assertThat(resumed.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
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

        assertThat(startOf(upgrading.decide())).isEqualTo(new StartFrom.Savepoint("file:/c/1"));
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
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

        var edited = failed.decided().withImage("new");

        assertThat(failed.withImage("new").decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(edited.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
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
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

        assertThat(upgraded.savepoints().last()).isEmpty();
        assertThat(failed.decided().withImage("newer").decide().reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void startsAgainFromNothingAJobWithoutStateThatBeganSo() {
        var begun =
                aRunningDeployment("savepoint")
                        .withJob(JobState.FINISHED, 0)
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE))
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
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE))
                        .decided()
                        .withImage("newer")
                        .decided();

        assertThat(begun.observed().status().attempt().startsEmpty()).isFalse();
        assertThat(startOf(again.withNothingLeft().decide())).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void resumesFromTheSavepointThatIsOnRecord() {
        assertThat(startOf(suspended().withState("running").decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void resumesFromNothingAJobThatIsKnownToHaveMadeNoState() {
        var ended =
                aRunningDeployment("savepoint")
                        .withJob(JobState.FINISHED, 0)
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE))
                        .decided()
                        .withImage("new");

        assertThat(startOf(ended.decided().withNothingLeft().decide()))
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
        assertThat(startOf(edited.withSpec(Specs.withState(saving, "running")).decide()))
                .isEqualTo(new StartFrom.LastState());
    }
}
