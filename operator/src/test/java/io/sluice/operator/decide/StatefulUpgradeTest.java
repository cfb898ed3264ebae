// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aCheckpointedDeployment;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.AttemptStatus.SeenCheckpoint;
import io.sluice.api.JobState;
import io.sluice.api.LifecycleState;
import io.sluice.api.StopStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.StopRequest;
import io.sluice.flink.rest.StopRequest.SavepointFormat;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.operator.manifest.StateOptions;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A changed spec, and a job that has state to take along. */
class StatefulUpgradeTest {
    private static final SavepointStatus DONE = new SavepointStatus.Completed("file:/s/1");
    private static final SavepointStatus FAILED =
            new SavepointStatus.Failed("no such folder", Optional.empty());

    private static final LastCheckpoints NO_CHECKPOINT = new LastCheckpoints.Told(Checkpoints.NONE);

    @Test
    void recordsTheStopItIsAboutToAskFor() {
        var decision = aRunningDeployment("savepoint").withImage("new").decide();

        var stop = decision.status().attempt().stop().orElseThrow();
        assertThat(stop.how()).isEqualTo(StopStatus.How.SAVEPOINT);
        assertThat(stop.triggerId()).matches("[0-9a-f]{32}");
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.StopWithSavepoint.class,
                        action ->
                                assertThat(action.request().triggerId())
                                        .isEqualTo(stop.triggerId()));
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.UPGRADING);
    }

    @Test
    void drainsAJobForAnUpgradeTooWhereItIsDrainedOnItsDeletion() {
        var drained =
                aRunningDeployment("savepoint")
                        .withConfiguration(
                                "kubernetes.operator.job.drain-on-savepoint-deletion", "true")
                        .decided();

        assertThat(drains(drained.withImage("new"))).isTrue();
        assertThat(drains(aRunningDeployment("savepoint").withImage("new"))).isFalse();
    }

    private static boolean drains(Snapshots changed) {
        return changed.decide().actions().stream()
                .map(Action.StopWithSavepoint.class::cast)
                .anyMatch(action -> action.request().drain());
    }

    @Test
    void asksAgainUnderTheSameNameUntilTheJobManagerKnowsOfIt() {
        var asked = aRunningDeployment("savepoint").withImage("new").decided();

        var again = asked.withStop(new SavepointStatus.Unknown()).decide();

        assertThat(again.actions())
                .isEqualTo(aRunningDeployment("savepoint").withImage("new").decide().actions());
        assertThat(asked.withStop(new SavepointStatus.InProgress()).decide().actions()).isEmpty();
    }

    @Test
    void recordsThePathBeforeItRemovesTheCluster() {
        var decision = stopping().withStop(DONE).decide();

        assertThat(decision.status().jobStatus().upgradeSavepointPath()).contains("file:/s/1");
        assertThat(decision.status().attempt().stop()).isEmpty();
        assertThat(decision.actions()).containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void startsTheNextFromTheSavepointOnceNothingIsLeft() {
        var removed = stopping().withStop(DONE).decided().withNothingLeft();

        assertThat(from(removed.decide())).isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void takesTheSpecThatIsThereWhenTheJobHasEnded() {
        var decision = stopping().withImage("newest").withStop(DONE).decided().withNothingLeft();

        var plan = ((Action.CreateCluster) decision.decide().actions().getFirst()).plan();
        assertThat(plan.spec().image()).contains("newest");
    }

    @Test
    void finishesAStopEvenIfTheSpecIsAsBefore() {
        var reverted = stopping().withImage("flink:1.20").withStop(DONE);

        assertThat(reverted.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void leavesTheJobRunningWhereTheSavepointFails() {
        var failed = stopping().withStop(FAILED);

        assertThat(failed.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(failed.decide().actions()).isEmpty();
        assertThat(failed.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("SavepointError");
        assertThat(failed.decided().decide().actions()).isEmpty();
        assertThat(failed.decided().decide().status().jobStatus().state())
                .contains(JobState.RUNNING);
    }

    @Test
    void triesAFailedSavepointAgainUnderAnotherNameAndNotForEver() {
        var failed = stopping().withStop(FAILED).decided();
        var tried = failed.later(Duration.ofSeconds(11));

        assertThat(tried.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
        assertThat(trigger(tried.decide()))
                .isNotEqualTo(trigger(aRunningDeployment("savepoint").withImage("new").decide()));
        for (int i = 0; i < 20; i++) {
            tried = tried.decided().withStop(FAILED).decided().later(Duration.ofHours(1));
        }
        assertThat(tried.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(tried.decide().actions()).isEmpty();
        assertThat(tried.withImage("other").decide().reason())
                .isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void doesNotTakeASavepointThatTheJobRanOnFrom() {
        var written = new SavepointStatus.Failed("failed stopping", Optional.of("file:/s/1"));

        assertThat(stopping().withStop(written).decide().reason())
                .isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
    }

    @Test
    void takesTheSavepointOfAStopThatFailedOnlyIfTheJobKeptNothingSince() {
        var written = new SavepointStatus.Failed("failed stopping", Optional.of("file:/s/1"));
        var ended = stopping().withJob(JobState.CANCELED, 0).withStop(written);

        assertThat(ended.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(source(ended.withLast(told(6, Optional.of(7L))))).contains("file:/s/1");
        assertThat(source(ended.withLast(told(8, Optional.of(7L))))).contains("file:/c/8");
    }

    @Test
    void asksAHumanWhichIsTheLastWhereTheJobManagerDoesNotListTheSavepointOfAFailedStop() {
        var written = new SavepointStatus.Failed("failed stopping", Optional.of("file:/s/1"));
        var ended = stopping().withJob(JobState.CANCELED, 0).withStop(written);
        var earlier = new CheckpointRef(8, "file:/c/8", Snapshots.NOW.minusSeconds(3), false);
        var later = new CheckpointRef(8, "file:/c/8", Snapshots.NOW.plusSeconds(3), false);

        for (CheckpointRef other : List.of(earlier, later)) {
            var doubtful = ended.withLast(told(other, Optional.empty())).decide();
            assertThat(doubtful.reason()).isEqualTo(Reason.STATE_IN_DOUBT);
            assertThat(doubtful.detail()).contains("file:/s/1", "file:/c/8");
        }
        assertThat(source(ended.withLast(new LastCheckpoints.Told(Checkpoints.NONE))))
                .contains("file:/s/1");
    }

    /** Flink still names one that it has deleted. */
    @Test
    void startsFromNoCheckpointThatWasDiscarded() {
        var discarded = new CheckpointRef(8, "file:/c/8", Snapshots.NOW, true);
        var ended =
                stopping()
                        .withJob(JobState.FAILED, 0)
                        .withStop(FAILED)
                        .withLast(told(discarded, Optional.empty()));

        assertThat(ended.decide().reason()).isEqualTo(Reason.CHECKPOINT_NOT_FOUND);
        assertThat(ended.decide().actions()).isEmpty();
    }

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
    void takesTheLastCheckpointOfAJobThatFailedBeforeItsSavepoint() {
        var failed = stopping().withJob(JobState.FAILED, 0).withStop(FAILED);

        assertThat(failed.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(
                        failed.withCheckpoint("file:/c/7")
                                .decide()
                                .status()
                                .jobStatus()
                                .upgradeSavepointPath())
                .contains("file:/c/7");
    }

    @Test
    void doesNotTrustAJobThatTheJobManagerBeganAnew() {
        var anew = stopping().withJobOfAnotherRun(JobState.RUNNING, 2).withStop(DONE);

        assertThat(anew.decide().reason()).isEqualTo(Reason.STATE_IN_DOUBT);
        assertThat(anew.decide().actions()).isEmpty();
    }

    @Test
    void cancelsWhereThereIsNoMetadataAndTakesTheLastCheckpoint() {
        var cancelling = aCheckpointedDeployment().withImage("new");
        var canceled = cancelling.decided().withJob(JobState.CANCELED, 0);

        assertThat(cancelling.decide().actions()).hasOnlyElementsOfType(Action.CancelJob.class);
        assertThat(cancelling.decide().status().jobStatus().state()).contains(JobState.CANCELLING);
        assertThat(canceled.withLast(new LastCheckpoints.Unread("late")).decide().actions())
                .isEmpty();
        var next = canceled.withCheckpoint("file:/c/7").decided().withNothingLeft().decide();
        assertThat(from(next)).isEqualTo(new StartFrom.Savepoint("file:/c/7"));
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
        assertThat(from(next)).isEqualTo(new StartFrom.Savepoint("file:/s/1"));
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

    @Test
    void leavesAJobInItsMetadataWhateverACancellationWouldDelete() {
        var changed = aHighlyAvailableDeployment().withoutRetention().withImage("new");

        assertThat(changed.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(from(changed.decided().withNothingLeft().decide()))
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

    @Test
    void keepsTheJobsIdWhereTheMetadataHoldsItsState() {
        var before = aHighlyAvailableDeployment();
        var upgrading = before.withImage("new");

        assertThat(upgrading.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        var next = upgrading.decided().withNothingLeft().decide();
        var plan = ((Action.CreateCluster) next.actions().getFirst()).plan();
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

        assertThat(((Action.CreateCluster) cameUp.actions().getFirst()).plan().from())
                .isEqualTo(new StartFrom.LastState());
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

    private static Snapshots neverUp(String upgradeMode) {
        return Snapshots.aNewResource(upgradeMode)
                .withSpec(Specs.highlyAvailable(Specs.application("flink:1.20", upgradeMode)))
                .decided()
                .withJobManagerNeverUp()
                .decided();
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
        assertThat(from(suspended.withState("running").decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
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
    void recoversALostJobManagerFromTheMetadata() {
        var lost = aHighlyAvailableDeployment().withNothingLeft();

        assertThat(lost.decide().reason()).isEqualTo(Reason.JOB_MANAGER_RECOVERED);
        assertThat(from(lost.decide())).isEqualTo(new StartFrom.LastState());
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

        assertThat(from(sameFlink.withNothingLeft().decide())).isEqualTo(new StartFrom.LastState());
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
                        from(
                                suspended
                                        .withSpec(
                                                Specs.highlyAvailable(
                                                        Specs.application(
                                                                "flink:1.20", "last-state")))
                                        .decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void redeploysFromTheSavepointTheUserNames() {
        var spec = Specs.application("flink:1.20", "savepoint");
        spec.withObject("/job")
                .put("initialSavepointPath", "s3://b/old")
                .put("savepointRedeployNonce", 1);

        var decision = aRunningDeployment("savepoint").withSpec(spec);

        assertThat(decision.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(from(decision.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("s3://b/old"));
    }

    @Test
    void obeysAHumanWhoAsksForAnEmptyStart() {
        var lost = aRunningDeployment("savepoint").withNothingLeft();
        var fresh = Specs.application("new", "stateless");

        assertThat(from(lost.withSpec(fresh).decide())).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void makesALastSavepointBeforeADeletionThatAsksForOne() {
        var deleting =
                aRunningDeployment("savepoint")
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted();

        assertThat(deleting.decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
        assertThat(deleting.decided().withStop(DONE).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(deleting.decided().withStop(DONE).decide().notes())
                .extracting(ResourceEvent::message)
                .anyMatch(message -> message.contains("file:/s/1"));
    }

    @Test
    void doesNotLetALastSavepointHoldUpADeletionForEver() {
        var deleting =
                aRunningDeployment("savepoint")
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted()
                        .decided()
                        .withStop(new StateView.StopView.Silent("refused"));

        assertThat(deleting.decide().actions()).isEmpty();
        assertThat(deleting.later(Duration.ofMinutes(6)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void waitsForALastSavepointNoLongerThanTheOperatorIsTold() {
        var deleting =
                aRunningDeployment("savepoint")
                        .withDefaults(
                                Map.of("kubernetes.operator.resource.cleanup.timeout", "1 min"))
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted()
                        .decided()
                        .withStop(new StateView.StopView.Silent("refused"));

        assertThat(deleting.later(Duration.ofSeconds(50)).decide().actions()).isEmpty();
        assertThat(deleting.later(Duration.ofSeconds(70)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void stopsAJobInTheWayThatItsConfigurationAsksFor() {
        var upgrading =
                aRunningDeployment("savepoint")
                        .withConfiguration(
                                "kubernetes.operator.job.drain-on-savepoint-deletion", "true")
                        .withConfiguration("kubernetes.operator.savepoint.format.type", "native")
                        .decided()
                        .withImage("new")
                        .decide();

        assertThat(request(upgrading).drain()).isTrue();
        assertThat(request(upgrading).format()).isEqualTo(SavepointFormat.NATIVE);
        var usual = aRunningDeployment("savepoint").withImage("new").decide();
        assertThat(request(usual).drain()).isFalse();
        assertThat(request(usual).format()).isEqualTo(SavepointFormat.CANONICAL);
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

        assertThat(from(suspended.withState("running").decide()))
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

        assertThat(from(suspended.withState("running").decide()))
                .isEqualTo(new StartFrom.LastState());
        assertThat(from(resumed.decide())).isEqualTo(new StartFrom.Savepoint("s3://s/9"));
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
        assertThat(from(mended.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
        assertThat(mended.withoutRecovery().decide().reason()).isEqualTo(Reason.STATE_LOST);
    }

    @Test
    void recordsTheStateOfAnEndedStatelessJobForAModeThatWillAskForIt() {
        var failed =
                aRunningDeployment("stateless")
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/7")
                        .decided();

        var mended = failed.withSpec(Specs.application("mended", "last-state")).decided();

        assertThat(from(mended.withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/7"));
    }

    @Test
    void givesUpOnAStopWhoseJobManagerCannotRunOnceTheMetadataHasTheState() {
        var crashing =
                aHighlyAvailableDeployment()
                        .withSpec(Specs.highlyAvailable(Specs.application("new", "savepoint")))
                        .decided()
                        .withStop(new SavepointStatus.InProgress())
                        .withCluster(
                                new ClusterView(
                                        new ClusterView.JobManagerView.Present(
                                                "deployment-1", Optional.empty(), false, true),
                                        1,
                                        Optional.of(
                                                new ClusterView.PodProblem(
                                                        "CrashLoopBackOff", "again"))));
        var late = crashing.later(Duration.ofMinutes(6));

        assertThat(crashing.decide().reason()).isEqualTo(Reason.POD_PROBLEM);
        assertThat(late.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(source(late)).contains(StateOptions.LAST_STATE);
        assertThat(late.withoutRecovery().decide().reason()).isEqualTo(Reason.POD_PROBLEM);
        assertThat(from(late.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
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

    private static Snapshots stopping() {
        return aRunningDeployment("savepoint").withImage("new").decided();
    }

    private static StopRequest request(Decision decision) {
        return ((Action.StopWithSavepoint) decision.actions().getFirst()).request();
    }

    private static StartFrom from(Decision decision) {
        return ((Action.CreateCluster) decision.actions().getFirst()).plan().from();
    }

    private static String trigger(Decision decision) {
        return decision.status().attempt().stop().orElseThrow().triggerId();
    }

    private static Optional<String> source(Snapshots snapshots) {
        return snapshots.decide().status().jobStatus().upgradeSavepointPath();
    }

    private static LastCheckpoints told(long checkpoint, Optional<Long> savepoint) {
        return told(
                new CheckpointRef(checkpoint, "file:/c/" + checkpoint, Snapshots.NOW, false),
                savepoint);
    }

    private static LastCheckpoints told(CheckpointRef checkpoint, Optional<Long> savepoint) {
        return new LastCheckpoints.Told(
                new Checkpoints(
                        Optional.of(checkpoint),
                        savepoint.map(
                                id -> new CheckpointRef(id, "file:/s/1", Snapshots.NOW, false)),
                        Optional.empty(),
                        Optional.empty()));
    }
}
