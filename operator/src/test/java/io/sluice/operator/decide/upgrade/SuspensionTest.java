// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aCheckpointedDeployment;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job that is suspended with its state, or whose state can't be told then. */
class SuspensionTest {
    private static final String NOWHERE = "<checkpoint-not-externally-addressable>";
    private static final SavepointStatus DONE = new SavepointStatus.Completed("file:/s/1");

    @Test
    void suspendsWithASavepointAndResumesFromIt() {
        var suspended =
                aRunningDeployment("savepoint")
                        .withState("suspended")
                        .decided()
                        .withStop(DONE)
                        .decided()
                        .withNothingLeft()
                        .decided();

        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(startOf(suspended.withState("running").decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void resumesFromTheSavepointAndNotFromOlderMetadataThatFlinkLeft() {
        var running =
                Snapshots.aNewResource("savepoint")
                        .withSpec(
                                Specs.highlyAvailable(Specs.application("flink:1.20", "savepoint")))
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withRecovery();

        var suspended =
                running.withState("suspended")
                        .decided()
                        .withStop(DONE)
                        .decided()
                        .withNothingLeft()
                        .decided();

        assertThat(startOf(suspended.withState("running").decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void resumesFromTheSavepointThatTheUserNamedWhileTheJobWasAtRest() {
        var suspended =
                aHighlyAvailableDeployment()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft()
                        .decided();
        var spec = Specs.highlyAvailable(Specs.application("flink:1.20", "last-state"));

        var named =
                suspended.withSpec(
                        Specs.withState(Specs.redeployed(spec, "s3://s/9", 1), "suspended"));
        var resumed = named.decided().withState("running");

        assertThat(startOf(suspended.withState("running").decide()))
                .isEqualTo(new StartFrom.LastState());
        assertThat(startOf(resumed.decide())).isEqualTo(new StartFrom.Savepoint("s3://s/9"));
    }

    @Test
    void takesAJobWhoseLastCheckpointHasNoAddressToRest() {
        Snapshots suspended = finishedWithoutAddress().withState("suspended");

        assertThat(suspended.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("CheckpointNotFound", "Suspended");
        Decision atRest = suspended.decided().withNothingLeft().decide();
        assertThat(atRest.reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(atRest.status().lifecycleState()).contains(LifecycleState.SUSPENDED);
        assertThat(atRest.detail()).contains("is not known", NOWHERE);
    }

    @Test
    void asksWhenItIsResumedAndObeys() {
        Snapshots suspended =
                finishedWithoutAddress()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft()
                        .decided();

        Decision resumed = suspended.withState("running").decide();
        assertThat(resumed.reason()).isEqualTo(Reason.CHECKPOINT_NOT_FOUND);
        assertThat(resumed.actions()).isEmpty();
        assertThat(
                        startOf(
                                suspended
                                        .withState("running")
                                        .decided()
                                        .withSpec(fromSavepoint())
                                        .decide()))
                .isEqualTo(new StartFrom.Savepoint("s3://b/old"));
        assertThat(startOf(suspended.withSpec(fromSavepoint()).decide()))
                .isEqualTo(new StartFrom.Savepoint("s3://b/old"));
    }

    @Test
    void removesAJobManagerThatCrashesOnceItHasDoneSoForAWhile() {
        Snapshots crashing = crashing().withState("suspended");

        assertThat(crashing.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(crashing.decide().actions()).as("it may be a blip").isEmpty();
        Snapshots later = crashing.later(Duration.ofMinutes(2));
        assertThat(later.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(later.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("UpgradeFailed");

        Snapshots atRest = later.decided().withNothingLeft().decided();
        assertThat(atRest.decide().reason()).isEqualTo(Reason.SUSPENDED);
        Snapshots resumed = atRest.withState("running");
        assertThat(resumed.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(resumed.decide().actions()).isEmpty();
        assertThat(startOf(resumed.decided().withSpec(fromSavepoint()).decide()))
                .isEqualTo(new StartFrom.Savepoint("s3://b/old"));
        assertThat(startOf(atRest.withSpec(Specs.application("new", "stateless")).decide()))
                .isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void doesSoWhereTheSavepointIsAskedForAlready() {
        Snapshots stopping =
                aRunningDeployment("savepoint")
                        .withState("suspended")
                        .decided()
                        .withJobManagerDown()
                        .withPodProblem("CrashLoopBackOff", "exit code 1")
                        .decided();

        assertThat(stopping.decide().reason()).isEqualTo(Reason.POD_PROBLEM);
        Snapshots later = stopping.later(Duration.ofMinutes(2));
        assertThat(later.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(later.decided().withNothingLeft().decide().reason()).isEqualTo(Reason.SUSPENDED);
    }

    @Test
    void stopsAJobThatRunsWithItsStateAsEver() {
        var failed = new SavepointStatus.Failed("no such folder", Optional.empty());
        Snapshots stopping =
                aRunningDeployment("savepoint").withState("suspended").decided().withStop(failed);

        assertThat(stopping.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(stopping.later(Duration.ofDays(1)).decided().decide().actions())
                .noneMatch(Action.DeleteCluster.class::isInstance);
    }

    @Test
    void cancelsNoJobThatIsToRestIfItsStateWouldGoWithThat() {
        Snapshots suspended = aCheckpointedDeployment().withState("suspended");
        assertThat(suspended.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);

        Decision spared = suspended.withoutRetention().decide();

        assertThat(spared.actions()).isEmpty();
        assertThat(spared.reason()).isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
    }

    @Test
    void keepsWhatTheMetadataNamesThoughTheRestOfTheChangeCanNotUseIt() {
        var older = Specs.highlyAvailable(Specs.application("flink:1.20", "last-state"));
        older.put("flinkVersion", "v1_19");
        Snapshots changed =
                aHighlyAvailableDeployment()
                        .withNothingLeft()
                        .withSpec(Specs.withState(older, "suspended"));

        Snapshots atRest = changed.decided().decided();
        assertThat(atRest.observed().status().lifecycleState()).contains(LifecycleState.SUSPENDED);
        assertThat(atRest.decide().reason()).isEqualTo(Reason.LAST_STATE_UNUSABLE);
        Snapshots reverted =
                atRest.withSpec(
                        Specs.highlyAvailable(Specs.application("flink:1.20", "last-state")));
        assertThat(startOf(reverted.decide())).isEqualTo(new StartFrom.LastState());
    }

    @Test
    void needsNoJobThatRunsWhereTheJobManagerIsMissing() {
        Snapshots waiting =
                aRunningDeployment("savepoint")
                        .withConfiguration(
                                "kubernetes.operator.job.upgrade.last-state-fallback.enabled",
                                "false")
                        .decided()
                        .withNothingLeft()
                        .decided();

        assertThat(waiting.withImage("new").decide().reason())
                .isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(waiting.withState("suspended").decided().decide().reason())
                .isEqualTo(Reason.SUSPENDED);
    }

    @Test
    void removesAJobThatItsJobManagerBeganAnew() {
        Snapshots stopping =
                aRunningDeployment("savepoint")
                        .withState("suspended")
                        .decided()
                        .withJobOfAnotherRun(JobState.RUNNING, 2);

        assertThat(stopping.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(stopping.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("StateInDoubt");
        assertThat(
                        stopping.decided()
                                .withNothingLeft()
                                .decided()
                                .withState("running")
                                .decide()
                                .reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void takesUpWhatElseIsEditedAtRest() {
        Snapshots edited =
                finishedWithoutAddress()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withImage("new");

        assertThat(edited.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(edited.decided().withState("running").decide().reason())
                .isEqualTo(Reason.CHECKPOINT_NOT_FOUND);
    }

    @Test
    void keepsWhatTheJobWasStartedFromAsAHint() {
        Snapshots lost =
                aRunningDeployment("savepoint")
                        .withSpec(fromSavepoint())
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withNothingLeft()
                        .decided();

        Snapshots atRest = lost.withState("suspended").decided();
        assertThat(lost.decide().detail()).contains("started from s3://b/old");
        assertThat(atRest.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(atRest.decide().detail()).contains("s3://b/old");
    }

    @Test
    void takesASessionJobToRestWhoseClusterIsGone() {
        Snapshots orphan =
                SessionSnapshots.aRunningSessionJob("savepoint")
                        .withTarget(SessionSnapshots.onNoCluster())
                        .withNothingLeft();

        Snapshots atRest = orphan.withState("suspended").decided();
        assertThat(atRest.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(atRest.decide().detail()).contains("is not known");
        assertThat(
                        atRest.withTarget(SessionSnapshots.on(SessionSnapshots.host()))
                                .withState("running")
                                .decide()
                                .reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void takesASessionJobToRestWhoseClusterWentWhileItWasBeingStopped() {
        Snapshots stopping =
                SessionSnapshots.aRunningSessionJob("savepoint")
                        .withState("suspended")
                        .decided()
                        .withTarget(SessionSnapshots.onNoCluster())
                        .withNothingLeft();

        assertThat(stopping.decided().decide().reason()).isEqualTo(Reason.SUSPENDED);
    }

    @Test
    void givesASessionJobThatIsMissingAsLongAsAnyAndNotTwice() {
        Snapshots missing =
                SessionSnapshots.aRunningSessionJob("savepoint")
                        .withState("suspended")
                        .decided()
                        .withJob(new JobView.NotListed())
                        .decided();

        assertThat(missing.later(Duration.ofMinutes(4)).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_SUBMISSION);
        assertThat(missing.later(Duration.ofMinutes(6)).decide().reason())
                .isEqualTo(Reason.SUSPENDED);
        Snapshots back =
                missing.later(Duration.ofMinutes(6))
                        .withJob(JobState.RUNNING, 2)
                        .withStop(new SavepointStatus.InProgress());
        assertThat(back.decided().withJob(new JobView.NotListed()).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_FORMER_JOB);
    }

    private static Snapshots finishedWithoutAddress() {
        return aRunningDeployment("savepoint")
                .withJob(JobState.FINISHED, 0)
                .withCheckpoint(NOWHERE)
                .decided();
    }

    private static Snapshots crashing() {
        return aRunningDeployment("savepoint")
                .withJobManagerDown()
                .withPodProblem("CrashLoopBackOff", "exit code 1")
                .decided();
    }

    private static ObjectNode fromSavepoint() {
        return Specs.redeployed(Specs.application("flink:1.20", "savepoint"), "s3://b/old", 1);
    }
}
