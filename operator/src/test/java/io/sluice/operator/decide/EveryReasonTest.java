// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.Condition;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.operator.model.image.ImagePulls;
import io.sluice.operator.model.image.ImagePulls.Answer;
import io.sluice.operator.model.image.ImagePulls.PullPod;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every reason and every action is what some situation leads to. */
class EveryReasonTest {
    private static final String VERTEX = "cbc357ccb763df2852fee8c4fc7d55f2";

    static final Map<Reason, Snapshots> SITUATIONS =
            Map.ofEntries(
                    Map.entry(Reason.SPEC_INVALID, aNewResource().withInvalidSpec("wrong")),
                    Map.entry(Reason.SPEC_REFUSED, aNewResource().withHeld(Reason.SPEC_REFUSED)),
                    Map.entry(
                            Reason.VALIDATION_FAILED,
                            aRunningDeployment().withHeld(Reason.VALIDATION_FAILED)),
                    Map.entry(Reason.VALIDATING, aRunningDeployment().withHeld(Reason.VALIDATING)),
                    Map.entry(
                            Reason.SAVEPOINT_IN_PROGRESS,
                            aRunningDeployment("savepoint").withImage("new")),
                    Map.entry(
                            Reason.UPGRADE_SAVEPOINT_FAILED,
                            aRunningDeployment("savepoint")
                                    .withImage("new")
                                    .decided()
                                    .withStop(failed())),
                    Map.entry(
                            Reason.WAITING_FOR_RUNNING_JOB,
                            aRunningDeployment("last-state")
                                    .withJob(new JobView.Unreachable("timed out"))
                                    .withImage("new")),
                    Map.entry(Reason.CHECKPOINT_PENDING, withOldCheckpoint().withImage("new")),
                    Map.entry(
                            Reason.STATE_UNREAD,
                            aRunningDeployment("savepoint").withJob(JobState.FAILED, 0)),
                    Map.entry(
                            Reason.CHECKPOINTS_NOT_RETAINED,
                            aRunningDeployment("last-state").withoutRetention().withImage("new")),
                    Map.entry(
                            Reason.NO_CHECKPOINT,
                            aRunningDeployment("last-state")
                                    .withLast(new LastCheckpoints.Known(Checkpoints.NONE))
                                    .withImage("new")),
                    Map.entry(
                            Reason.STATE_LOST,
                            aRunningDeployment("savepoint")
                                    .withJobOfAnotherRun(JobState.RUNNING, 2)),
                    Map.entry(
                            Reason.RESTARTING_LOST_RUN,
                            aRunningDeployment("savepoint")
                                    .withConfiguration(
                                            "kubernetes.operator.job.restart.lost-state", "true")
                                    .decided()
                                    .withCheckpointSeen("file:/c/9")
                                    .withJobOfAnotherRun(JobState.RUNNING, 2)),
                    Map.entry(
                            Reason.REDEPLOYMENT_REVERTED,
                            aNewResource("savepoint")
                                    .withSpec(
                                            Specs.redeployed(
                                                    Specs.application("flink:1.20", "savepoint"),
                                                    "file:/s/0",
                                                    1))
                                    .decided()
                                    .withJobManager(true)
                                    .withJob(JobState.RUNNING, 2)
                                    .decided()
                                    .withSpec(
                                            Specs.redeployed(
                                                    Specs.application("new", "savepoint"),
                                                    "file:/s/1",
                                                    2))
                                    .decided()
                                    .withSpec(
                                            Specs.redeployed(
                                                    Specs.application("flink:1.20", "savepoint"),
                                                    "file:/s/0",
                                                    1))),
                    Map.entry(
                            Reason.NO_SAVEPOINT_FOLDER,
                            aHighlyAvailableDeployment()
                                    .withSpec(
                                            Specs.withVersion(
                                                    Specs.highlyAvailable(
                                                            Specs.application("new", "last-state")),
                                                    "v2_0"))),
                    Map.entry(
                            Reason.STATUS_LOST,
                            aNewResource().withJobManager(true).withOwnJobManager()),
                    Map.entry(
                            Reason.JOB_NOT_FOUND,
                            aRunningDeployment()
                                    .withJob(new JobView.NotListed())
                                    .decided()
                                    .later(Duration.ofMinutes(6))),
                    Map.entry(
                            Reason.UPGRADE_FAILED,
                            aRunningDeployment("savepoint").withNothingLeft().withImage("new")),
                    Map.entry(
                            Reason.STATE_IN_DOUBT,
                            aRunningDeployment("savepoint")
                                    .withImage("new")
                                    .decided()
                                    .withJobOfAnotherRun(JobState.RUNNING, 2)),
                    Map.entry(
                            Reason.RESTORE_FAILED,
                            highlyAvailable()
                                    .withImage("new")
                                    .decided()
                                    .withoutRecovery()
                                    .withNothingLeft()),
                    Map.entry(
                            Reason.CHECKPOINT_NOT_FOUND,
                            aRunningDeployment("savepoint")
                                    .withJob(JobState.FINISHED, 0)
                                    .withCheckpoint("<checkpoint-not-externally-addressable>")
                                    .withImage("new")),
                    Map.entry(
                            Reason.LAST_STATE_UNUSABLE,
                            highlyAvailable()
                                    .withState("suspended")
                                    .decided()
                                    .withNothingLeft()
                                    .decided()
                                    .withSpec(onAnotherVersion())),
                    Map.entry(Reason.SUSPENDED, aNewResource().withState("suspended")),
                    Map.entry(Reason.SUSPENDING, aRunningDeployment().withState("suspended")),
                    Map.entry(Reason.DEPLOYMENT_STARTED, aNewResource()),
                    Map.entry(Reason.UPGRADE_STARTED, aRunningDeployment().withImage("new")),
                    Map.entry(
                            Reason.WAITING_FOR_REMOVAL,
                            aRunningDeployment().withImage("new").decided().withPodsOnly()),
                    Map.entry(
                            Reason.JOB_MANAGER_SILENT,
                            aRunningDeployment("savepoint")
                                    .withImage("new")
                                    .decided()
                                    .withJob(new JobView.Unreachable("timed out"))
                                    .decided()
                                    .later(Duration.ofMinutes(11))),
                    Map.entry(
                            Reason.WAITING_FOR_LOST_POD,
                            aRunningDeployment().withObstacle("Pod 'p'").withImage("new")),
                    Map.entry(
                            Reason.REMOVAL_OVERDUE,
                            aRunningDeployment().deleted().withRemnant("Pod 'p'", true)),
                    Map.entry(Reason.WAITING_FOR_JOB_MANAGER, aDeployment("stateless")),
                    Map.entry(
                            Reason.WAITING_FOR_REST,
                            aDeployment("stateless")
                                    .withJobManager(true)
                                    .withJob(new JobView.Unreachable("refused"))),
                    Map.entry(
                            Reason.WAITING_FOR_SUBMISSION,
                            aDeployment("stateless")
                                    .withJobManager(true)
                                    .withJob(new JobView.NotListed())),
                    Map.entry(
                            Reason.WAITING_FOR_TASKS,
                            aDeployment("stateless")
                                    .withJobManager(true)
                                    .withJob(JobState.INITIALIZING, 0)),
                    Map.entry(
                            Reason.NO_TASK_MANAGERS,
                            aDeployment("stateless")
                                    .withJobManager(true)
                                    .withJob(JobState.RUNNING, 1)
                                    .later(Duration.ofMinutes(3))),
                    Map.entry(
                            Reason.JOB_RESTARTING,
                            aRunningDeployment().withJob(JobState.RESTARTING, 0)),
                    Map.entry(
                            Reason.JOB_CANCELLING,
                            Snapshots.aCheckpointedDeployment().withImage("new")),
                    Map.entry(
                            Reason.POD_PROBLEM,
                            aDeployment("stateless").withPodProblem("ErrImagePull", "no image")),
                    Map.entry(
                            Reason.ANSWER_TOO_LARGE,
                            aRunningDeployment()
                                    .withJob(
                                            new JobView.Unreachable(
                                                    "too many jobs", NoAnswer.TOO_LARGE))),
                    Map.entry(
                            Reason.JOB_UNREACHABLE,
                            aRunningDeployment().withJob(new JobView.Unreachable("timed out"))),
                    Map.entry(
                            Reason.JOB_RUNNING,
                            aSavingDeployment()
                                    .withSavepoint(1, "file:/s/1")
                                    .withSavepoint(2, "file:/s/2")
                                    .later(Duration.ofHours(25))),
                    Map.entry(
                            Reason.SAVING_STATE,
                            aSavingDeployment()
                                    .withNonce(StateKind.SAVEPOINT, 1)
                                    .withNonce(StateKind.CHECKPOINT, 1)),
                    Map.entry(
                            Reason.SAVING_FAILED,
                            aRunningDeployment().withNonce(StateKind.SAVEPOINT, 1)),
                    Map.entry(
                            Reason.WAITING_FOR_SAVEPOINT,
                            aSavingDeployment()
                                    .withNonce(StateKind.SAVEPOINT, 1)
                                    .decided()
                                    .withImage("new")),
                    Map.entry(Reason.PULLING_IMAGE, pulling()),
                    Map.entry(Reason.IMAGE_NOT_PULLED, notPulled()),
                    Map.entry(Reason.SCALING_IN_PLACE, scaling()),
                    Map.entry(
                            Reason.SCALING_UNAVAILABLE,
                            aRunningDeployment()
                                    .withScaling(
                                            Map.of(VERTEX, 2),
                                            new ScalingView.Unavailable("default scheduler"))),
                    Map.entry(
                            Reason.JOB_FINISHED,
                            aRunningDeployment().withJob(JobState.FINISHED, 0)),
                    Map.entry(Reason.JOB_FAILED, aRunningDeployment().withJob(JobState.FAILED, 0)),
                    Map.entry(
                            Reason.JOB_CANCELED,
                            aRunningDeployment().withJob(JobState.CANCELED, 0)),
                    Map.entry(Reason.JOB_MANAGER_RECOVERED, aRunningDeployment().withNothingLeft()),
                    Map.entry(
                            Reason.JOB_MANAGER_MISSING,
                            aRunningDeployment("last-state").withNothingLeft()),
                    Map.entry(
                            Reason.ROLLING_BACK,
                            Snapshots.anUpgradeThatFails("stateless").later(Duration.ofMinutes(6))),
                    Map.entry(Reason.ROLLED_BACK, rolledBack()),
                    Map.entry(
                            Reason.ROLLBACK_UNAVAILABLE,
                            Snapshots.anUpgradeThatFails("savepoint")
                                    .withNothingLeft()
                                    .decided()
                                    .later(Duration.ofMinutes(6))),
                    Map.entry(
                            Reason.RESTARTING_FAILED_JOB,
                            aRunningDeployment()
                                    .withConfiguration(
                                            "kubernetes.operator.job.restart.failed", "true")
                                    .decided()
                                    .withJob(JobState.FAILED, 0)),
                    Map.entry(Reason.RESTARTING_UNHEALTHY_JOB, aRunningDeployment().withIllness()),
                    Map.entry(Reason.JOB_UNHEALTHY, aRunningDeployment("savepoint").withIllness()),
                    Map.entry(
                            Reason.SESSION_CLUSTER_READY, SessionSnapshots.aReadySessionCluster()),
                    Map.entry(
                            Reason.SESSION_CLUSTER_UNREACHABLE,
                            SessionSnapshots.aReadySessionCluster()
                                    .withTarget(SessionSnapshots.silentCluster())),
                    Map.entry(
                            Reason.WAITING_FOR_SESSION_JOBS,
                            SessionSnapshots.aSessionClusterWithAStatefulJob().withImage("new")),
                    Map.entry(
                            Reason.SESSION_CLUSTER_SILENT,
                            SessionSnapshots.aReadySessionCluster()
                                    .withTarget(SessionSnapshots.silentSince(Snapshots.NOW))
                                    .later(Duration.ofMinutes(6))
                                    .withImage("new")),
                    Map.entry(
                            Reason.SESSION_JOBS_LEFT,
                            SessionSnapshots.aSessionClusterWithAStatefulJob().deleted()),
                    Map.entry(
                            Reason.WAITING_FOR_SESSION_CLUSTER,
                            SessionSnapshots.aNewSessionJob("stateless")
                                    .withTarget(SessionSnapshots.onNoCluster())),
                    Map.entry(Reason.JOB_SUBMITTING, SessionSnapshots.aNewSessionJob("stateless")),
                    Map.entry(
                            Reason.SUBMISSION_REFUSED,
                            SessionSnapshots.aNewSessionJob("stateless")
                                    .decided()
                                    .withJob(new JobView.NotListed())
                                    .withTarget(SessionSnapshots.refused("no such class"))),
                    Map.entry(
                            Reason.SUBMISSION_QUEUED,
                            SessionSnapshots.submitting(new SubmissionView.Queued("All taken."))),
                    Map.entry(
                            Reason.JAR_TOO_LARGE,
                            SessionSnapshots.notUploaded(Reason.JAR_TOO_LARGE)),
                    Map.entry(
                            Reason.JAR_TOO_SLOW, SessionSnapshots.notUploaded(Reason.JAR_TOO_SLOW)),
                    Map.entry(
                            Reason.JAR_REDIRECTS,
                            SessionSnapshots.notUploaded(Reason.JAR_REDIRECTS)),
                    Map.entry(
                            Reason.JAR_HEADER_TOO_LARGE,
                            SessionSnapshots.notUploaded(Reason.JAR_HEADER_TOO_LARGE)),
                    Map.entry(
                            Reason.JAR_CACHE_FULL,
                            SessionSnapshots.notUploaded(Reason.JAR_CACHE_FULL)),
                    Map.entry(
                            Reason.WAITING_FOR_FORMER_JOB,
                            SessionSnapshots.aRunningSessionJob("stateless")
                                    .withJob(new JobView.Unreachable("timed out"))
                                    .withRestartNonce(2)),
                    Map.entry(
                            Reason.MANIFESTS_REFUSED,
                            aNewResource().decided().withRefusal("quota exceeded")),
                    Map.entry(Reason.DELETING, aRunningDeployment().deleted()),
                    Map.entry(Reason.DELETED, aNewResource().deleted()));

    @Test
    void isReached() {
        assertThat(SITUATIONS)
                .containsOnlyKeys(
                        Arrays.stream(Reason.values())
                                .filter(reason -> !isOfOtherPackages(reason))
                                .toArray(Reason[]::new));
        SITUATIONS.forEach(
                (reason, situation) -> assertThat(situation.decide().reason()).isEqualTo(reason));
    }

    @Test
    void saysInItsConditionsWhatItIs() {
        SITUATIONS.forEach(
                (reason, situation) -> {
                    var status = situation.decide().status();
                    assertThat(status.observedGeneration())
                            .contains(situation.observed().identity().generation());
                    var ready = status.condition("Ready").orElseThrow();
                    assertThat(ready.reason()).isEqualTo(reason.wire());
                    assertThat(ready.message()).startsWith(reason.text());
                    assertThat(
                                    status.conditions().stream()
                                            .filter(c -> !c.type().equals("Running"))
                                            .filter(c -> c.status() == Condition.Status.TRUE)
                                            .count())
                            .as("at most one of Ready, Reconciling, Stalled for " + reason)
                            .isLessThanOrEqualTo(1);
                });
    }

    @Test
    void comesToRestInOneMorePass() {
        SITUATIONS.forEach(
                (reason, situation) -> {
                    var settled = situation.decided().decided();
                    assertThat(settled.decide().status())
                            .as(reason + " would be written for ever")
                            .isEqualTo(settled.observed().status());
                });
    }

    @Test
    void usesEveryAction() {
        var used =
                Stream.of(
                                SITUATIONS.values().stream(),
                                Stream.of(
                                        standalone(),
                                        standaloneWithoutJobManager(),
                                        notPulled().withState("suspended"),
                                        aHighlyAvailableDeployment()
                                                .withCheckpointSeen("file:/c/1")
                                                .withNativeTaskManagers()
                                                .withImage("new")
                                                .withJob(new JobView.Unreachable("timed out")),
                                        aRunningDeployment()
                                                .withJob(new JobView.Unreachable("timed out"))
                                                .decided()
                                                .later(Duration.ofMinutes(1)),
                                        aRunningDeployment()
                                                .withJobManagerDown()
                                                .withPodDelay(
                                                        "FailedMount",
                                                        "configmap \"flink-config-orders\" not"
                                                                + " found"),
                                        aSavingDeployment()
                                                .withServedSnapshots()
                                                .withNonce(StateKind.SAVEPOINT, 7),
                                        aRunningDeployment().withNothingLeft().deleted()),
                                SessionSnapshots.submission())
                        .flatMap(each -> each)
                        .flatMap(situation -> situation.decide().actions().stream())
                        .map(Action::getClass)
                        .collect(Collectors.toSet());

        assertThat(used)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Action.class, Action.OfJob.class, Action.Release.class)
                                .flatMap(type -> Stream.of(type.getPermittedSubclasses()))
                                .filter(type -> !type.isInterface())
                                .map(action -> action.asSubclass(Action.class))
                                .toList());
    }

    @Test
    void hasAWordOfItsOwn() {
        assertThat(Arrays.stream(Reason.values()).map(Reason::wire)).doesNotHaveDuplicates();
    }

    /** The cron, canary and statesnapshot packages have tests of their own. */
    private static boolean isOfOtherPackages(Reason reason) {
        return reason == Reason.CANARY
                || reason.name().startsWith("CRON_")
                || reason.name().startsWith("SNAPSHOT_")
                || reason.name().startsWith("PAIR_");
    }

    /** Its image is changed, and has yet to be pulled. */
    private static Snapshots pulling() {
        return aRunningDeployment().withImagesPulledFirst().withImage("new");
    }

    private static Snapshots notPulled() {
        Action asked = pulling().decide().actions().getFirst();
        String pod = asked instanceof Action.PullImages(_, var name) ? name : "";
        return pulling()
                .decided()
                .withImagePulls(
                        new ImagePulls(
                                List.of(
                                        new PullPod(
                                                pod,
                                                "pod-uid",
                                                new Answer.NotPulled(
                                                        "new", "ImagePullBackOff", "not found"))),
                                Optional.empty()));
    }

    /** Its TaskManagers are not there. */
    private static Snapshots standalone() {
        return aNewResource()
                .withSpec(Specs.application("flink:1.20", "stateless").put("mode", "standalone"))
                .withScaling(Map.of(), new ScalingView.TaskManagers(Optional.empty()))
                .decided()
                .withJobManager(false);
    }

    private static Snapshots standaloneWithoutJobManager() {
        return standalone().withTaskManagersOnly(1, false);
    }

    private static Snapshots rolledBack() {
        return Snapshots.anUpgradeThatFails("stateless")
                .later(Duration.ofMinutes(6))
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2);
    }

    private static SavepointStatus failed() {
        return new SavepointStatus.Failed("no such folder", Optional.empty());
    }

    private static Snapshots highlyAvailable() {
        return Snapshots.aHighlyAvailableDeployment();
    }

    private static ObjectNode onAnotherVersion() {
        return Specs.highlyAvailable(Specs.application("flink:1.20", "last-state"))
                .put("flinkVersion", "v1_19");
    }

    /** The last checkpoint is five minutes old, one may be at most, and the next is under way. */
    private static Snapshots withOldCheckpoint() {
        var checkpoints =
                new Checkpoints(
                        Optional.of(new CheckpointRef(7, "chk-7", Snapshots.NOW, false)),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(
                                new CheckpointInProgress(
                                        false, Snapshots.NOW.plusSeconds(290), 4, 1)));
        return aRunningDeployment("last-state")
                .withConfiguration(
                        "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age",
                        "1 min")
                .decided()
                .later(Duration.ofMinutes(5))
                .withLast(new LastCheckpoints.Known(checkpoints));
    }

    private static Snapshots scaling() {
        return aRunningDeployment()
                .withScaling(
                        Map.of(VERTEX, 3),
                        new ScalingView.Known(
                                List.of(new JobVertex(VERTEX, "count", 1, 128, "RUNNING")),
                                Map.of(VERTEX, new ParallelismBounds(1, 1))));
    }
}
