// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.decide.Decisions.source;
import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job whose last state is in Flink's high-availability metadata, from which the next starts. */
class LastStateUpgradeTest {
    private static final LastCheckpoints NO_CHECKPOINT =
            new LastCheckpoints.Known(Checkpoints.NONE);
    private static final JobView SILENT = new JobView.Unreachable("timed out");

    @Test
    void keepsTheJobsIdWhereTheMetadataHoldsItsState() {
        var before = aHighlyAvailableDeployment();
        var upgrading = before.withImage("new");

        assertThat(upgrading.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        var next = upgrading.decided().withNothingLeft().decide();
        var plan = plan(next);
        assertThat(plan.from()).isEqualTo(new StartFrom.LastState());
        assertThat(Optional.of(plan.jobId()))
                .isEqualTo(before.observed().status().jobStatus().jobId());
        assertThat(Optional.of(plan.attempt()))
                .isNotEqualTo(before.observed().status().attempt().id());
        assertThat(next.status().jobStatus().upgradeSavepointPath())
                .contains(StateOptions.LAST_STATE);
    }

    @Test
    void goesOnFromWhatAJobDidThatCameUpAfterItsReplacementWasOnRecord() {
        Snapshots never = neverUp("last-state").withImage("new");
        Snapshots replaced = never.decided();
        assertThat(replaced.observed().status().attempt().id())
                .isNotEqualTo(never.observed().status().attempt().id());

        var cameUp = replaced.withRecovery().withNothingLeft().decide();

        assertThat(startOf(cameUp)).isEqualTo(new StartFrom.LastState());
    }

    @Test
    void takesNothingAlongWhereTheUserNamesAnotherStateOrNone() {
        Snapshots never = neverUp("last-state");
        Optional<String> job = never.observed().status().jobStatus().jobId();

        Snapshots redeployed =
                never.withSpec(
                        Specs.redeployed(
                                Specs.highlyAvailable(Specs.application("new", "last-state")),
                                "s3://s/9",
                                1));
        assertThat(redeployed.decide().status().jobStatus().jobId()).isNotEqualTo(job);
        assertThat(neverUp("stateless").withImage("new").decide().status().jobStatus().jobId())
                .isNotEqualTo(job);
    }

    @Test
    void neverStartsEmptyWhereTheMetadataIsGone() {
        var lost =
                aHighlyAvailableDeployment()
                        .withImage("new")
                        .decided()
                        .withoutRecovery()
                        .withNothingLeft();

        assertThat(lost.decide().reason()).isEqualTo(Reason.RESTORE_FAILED);
        assertThat(lost.decide().actions()).isEmpty();
        assertThat(lost.decide().status().lifecycleState()).contains(LifecycleState.UPGRADING);
    }

    @Test
    void saysWhichCheckpointWasSeenLastWhereTheMetadataIsGone() {
        var lost =
                aHighlyAvailableDeployment()
                        .withCheckpoint("file:/c/7")
                        .withImage("new")
                        .decided()
                        .withoutRecovery()
                        .withNothingLeft();

        assertThat(lost.decide().detail()).contains("file:/c/7");
    }

    @Test
    void recoversALostJobManagerFromTheMetadata() {
        var lost = aHighlyAvailableDeployment().withNothingLeft();

        assertThat(lost.decide().reason()).isEqualTo(Reason.JOB_MANAGER_RECOVERED);
        assertThat(startOf(lost.decide())).isEqualTo(new StartFrom.LastState());
        assertThat(lost.withoutRecovery().decide().reason()).isEqualTo(Reason.JOB_MANAGER_MISSING);
    }

    @Test
    void doesNotGiveTheMetadataOfAStoppedJobToAnotherFlink() {
        var spec =
                Specs.asking(
                        Specs.highlyAvailable(Specs.application("flink:2.0", "last-state")),
                        "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled");
        var checkpointed = aHighlyAvailableDeployment().withCheckpoint("file:/c/1");
        var sameFlink = checkpointed.withSpec(spec).decided();
        var another = checkpointed.withSpec(Specs.withVersion(spec, "v2_0")).decided();

        assertThat(startOf(sameFlink.withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
        assertThat(another.withNothingLeft().decide().reason())
                .isEqualTo(Reason.LAST_STATE_UNUSABLE);
    }

    @Test
    void suspendsAStoppedJobUnderTheFlinkThatItsMetadataIsOf() {
        var spec =
                Specs.asking(
                        Specs.highlyAvailable(Specs.application("flink:2.0", "last-state")),
                        "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled");
        var stopping =
                aHighlyAvailableDeployment().withSpec(Specs.withVersion(spec, "v2_0")).decided();

        var suspended =
                stopping.withSpec(Specs.withState(Specs.withVersion(spec, "v2_0"), "suspended"))
                        .withNothingLeft()
                        .decided();

        assertThat(suspended.observed().status().lifecycleState())
                .contains(LifecycleState.SUSPENDED);
        assertThat(suspended.withState("running").decide().reason())
                .isEqualTo(Reason.LAST_STATE_UNUSABLE);
        assertThat(
                        startOf(
                                suspended
                                        .withSpec(
                                                Specs.highlyAvailable(
                                                        Specs.application(
                                                                "flink:1.20", "last-state")))
                                        .decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void observesAJobAgainThatHighlyAvailableFlinkBroughtBackAfterItsMainMethodThrew() {
        var failed =
                aHighlyAvailableDeployment().withJob(JobState.FAILED, 0).withLast(NO_CHECKPOINT);
        var back = failed.decided().withJobOfAnotherRun(JobState.RUNNING, 2);

        assertThat(failed.decide().reason()).isEqualTo(Reason.JOB_FAILED);
        assertThat(back.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(back.withImage("mended").decide().status().jobStatus().upgradeSavepointPath())
                .contains(StateOptions.LAST_STATE);
    }

    @Test
    void goesOnFromTheMetadataWhereTheMainMethodOfAnUpgradeThrew() {
        var thrown =
                aHighlyAvailableDeployment()
                        .withImage("bad")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.FAILED, 0)
                        .withLast(NO_CHECKPOINT)
                        .decided();
        var mended = thrown.withImage("mended");

        assertThat(mended.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(startOf(mended.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
        assertThat(mended.withoutRecovery().decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void remembersTheSavepointThatTheMetadataMayStillName() {
        var restored =
                aHighlyAvailableDeployment()
                        .withSpec(
                                Specs.redeployed(
                                        Specs.highlyAvailable(
                                                Specs.application("flink:1.20", "last-state")),
                                        "s3://s/9",
                                        1))
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withRecovery();

        var upgraded = restored.withImage("new").decided();

        assertThat(source(upgraded)).contains(StateOptions.LAST_STATE);
        assertThat(upgraded.observed().status().attempt().lastCheckpoint())
                .contains(new SeenCheckpoint("s3://s/9", Optional.empty()));
    }

    /** One that makes no checkpoints would go back to what it was restored from. */
    @Test
    void asksAJobManagerAgainThatHasJustFailedToAnswerWhileNobodyHasSeenACheckpoint() {
        var silent = aHighlyAvailableDeployment().withImage("new").withJob(SILENT);
        var answering =
                silent.decided()
                        .withJob(JobState.RUNNING, 2)
                        .withRetention(new Retention.Known(CheckpointRetention.NO_CHECKPOINTS));

        assertThat(silent.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(silent.decide().actions()).isEmpty();
        assertThat(answering.decide().reason()).isEqualTo(Reason.NO_CHECKPOINT);
        assertThat(answering.decide().actions()).isEmpty();
    }

    @Test
    void goesOnFromTheMetadataWhereTheJobManagerHasNotAnsweredForFiveMinutes() {
        var silent = aHighlyAvailableDeployment().withImage("new").withJob(SILENT).decided();

        assertThat(silent.later(Duration.ofMinutes(4)).decided().decide().reason())
                .isEqualTo(Reason.STATE_UNREAD);
        assertThat(silent.later(Duration.ofMinutes(6)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(source(silent.later(Duration.ofMinutes(6)).decided()))
                .contains(StateOptions.LAST_STATE);
    }

    @Test
    void waitsForNoJobManagerWhereACheckpointOfTheJobWasSeen() {
        var seen = aHighlyAvailableDeployment().withCheckpointSeen("file:/c/6").withImage("new");

        assertThat(seen.withJob(SILENT).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void takesACheckpointOfTheJobBeforeForNoneThatTheJobHasMade() {
        var upgraded =
                aHighlyAvailableDeployment()
                        .withCheckpointSeen("file:/c/6")
                        .later(Duration.ofMinutes(1))
                        .withImage("new")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        assertThat(upgraded.withImage("newer").withJob(SILENT).decide().reason())
                .isEqualTo(Reason.STATE_UNREAD);
    }

    @Test
    void suspendsNoJobWhoseJobManagerHasJustFailedToAnswer() {
        var before = aHighlyAvailableDeployment();
        var onAnotherFlink =
                Specs.withState(
                        Specs.withVersion(
                                Specs.highlyAvailable(Specs.application("new", "last-state")),
                                "v2_0"),
                        "suspended");

        assertThat(before.withState("suspended").withJob(SILENT).decide().actions()).isEmpty();
        assertThat(before.withSpec(onAnotherFlink).withJob(SILENT).decide().actions()).isEmpty();
        assertThat(
                        before.withState("suspended")
                                .withJob(SILENT)
                                .decided()
                                .later(Duration.ofMinutes(6))
                                .decide()
                                .actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    private static Snapshots neverUp(String upgradeMode) {
        return Snapshots.aNewResource(upgradeMode)
                .withSpec(Specs.highlyAvailable(Specs.application("flink:1.20", upgradeMode)))
                .decided()
                .withJobManagerNeverUp()
                .decided();
    }
}
