// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.withGuest;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.JobManagerView.Step;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.ClusterReader;
import io.sluice.operator.observe.DeploymentProblems;
import io.sluice.operator.observe.JobManagerScaleDown;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A native cluster is removed in two steps: its JobManager first, then all that is left of it. */
class ClusterRemovalTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Step SCALED_UP_AGAIN = new Step("deployment-1", false);
    private static final Step STOPPED = new Step("deployment-1", true);

    @Test
    void aJobManagerWithTaskManagersIsStoppedBeforeItsDeploymentIsDeleted() {
        var edited = unreachable().withNativeTaskManagers();

        assertThat(edited.decide().actions())
                .containsExactly(new Action.StopJobManager("deployment-1"));
    }

    @Test
    void aJobManagerWithoutTaskManagersIsDeletedAtOnce() {
        assertThat(unreachable().decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void theDeploymentIsDeletedOnceTheJobManagerIsGone() {
        var recorded = unreachable().withNativeTaskManagers().decided();

        assertThat(recorded.withScaledDownJobManager(Optional.empty()).decide().actions())
                .isEmpty();
        assertThat(recorded.withScaledDownJobManager(Optional.of(STOPPED)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(recorded.withNothingLeft().decide().actions())
                .hasOnlyElementsOfType(Action.CreateCluster.class);
    }

    @Test
    void aDeploymentThatSomebodyScalesUpMeanwhileIsScaledDownAgain() {
        var recorded = unreachable().withNativeTaskManagers().decided();

        assertThat(
                        recorded.withScaledDownJobManager(Optional.of(SCALED_UP_AGAIN))
                                .decide()
                                .actions())
                .containsExactly(new Action.StopJobManager("deployment-1"));
    }

    /** Nothing takes the mark back, so that nothing could start the JobManager again. */
    @Test
    void theRemovalIsCarriedOnWhateverIsAskedForMeanwhile() {
        Snapshots recorded = unreachable().withNativeTaskManagers().decided();

        Stream.of(
                        recorded,
                        recorded.withImage("flink:1.20"),
                        recorded.withImage("another"),
                        recorded.withState("suspended"),
                        recorded.withState("suspended").decided(),
                        recorded.withInvalidSpec("spec.image: no"),
                        recorded.deleted(),
                        aRunningDeployment())
                .map(asked -> asked.withScaledDownJobManager(Optional.of(STOPPED)).decide())
                .forEach(
                        decision ->
                                assertThat(decision.actions())
                                        .as(decision.reason().wire())
                                        .containsExactly(new Action.DeleteCluster("deployment-1")));
    }

    /** The deletion waits for the job, which can't run there any more. */
    @Test
    void theRemovalOfASessionClusterIsCarriedOnThoughAJobIsAskedForMeanwhile() {
        Decision decision =
                aReadySessionCluster()
                        .withTarget(withGuest(true, JobState.RUNNING))
                        .deleted()
                        .withScaledDownJobManager(Optional.of(STOPPED))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.SESSION_JOBS_LEFT);
        assertThat(decision.actions()).containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void aMarkedDeploymentThatIsAnothersIsLeftAlone() {
        var named = Snapshots.aNewResource().decided();

        assertThat(named.withScaledDownJobManager(Optional.of(STOPPED)).decide().actions())
                .isEmpty();
    }

    @Test
    void theJobManagerIsWaitedForWhileItsPodEndsAndNoLongerThanThat() {
        Deployment marked = scaledTo(0);

        assertThat(view(marked, jobManager(NOW.plusSeconds(30))))
                .isEqualTo(new JobManagerView.Terminating());
        assertThat(view(marked, jobManager(NOW.minusSeconds(16))))
                .isEqualTo(new JobManagerView.Terminating(Optional.of(STOPPED)));
        assertThat(view(marked)).isEqualTo(new JobManagerView.Terminating(Optional.of(STOPPED)));
        assertThat(view(scaledTo(1)))
                .isEqualTo(new JobManagerView.Terminating(Optional.of(SCALED_UP_AGAIN)));
    }

    @Test
    void nobodyIsToldToScaleUpWhatTheOperatorScalesDown() {
        assertThat(DeploymentProblems.scaledToZero(scaledTo(0))).isEmpty();
    }

    private static Snapshots unreachable() {
        return aRunningDeployment()
                .withImage("flink:1.20-new")
                .withJob(new JobView.Unreachable("timed out"));
    }

    private static JobManagerView view(Deployment deployment, Pod... pods) {
        return ClusterReader.of(
                        new ChildResources(
                                Optional.of(deployment), List.of(pods), Optional.empty()),
                        NOW)
                .jobManager();
    }

    private static Deployment scaledTo(int replicas) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("orders")
                .withUid("deployment-1")
                .withCreationTimestamp(NOW.minusSeconds(600).toString())
                .withAnnotations(Map.of(JobManagerScaleDown.ANNOTATION, "begun"))
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .endSpec()
                .build();
    }

    private static Pod jobManager(Instant endsBy) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("orders-1")
                .withDeletionTimestamp(endsBy.toString())
                .addToLabels("component", "jobmanager")
                .endMetadata()
                .build();
    }
}
