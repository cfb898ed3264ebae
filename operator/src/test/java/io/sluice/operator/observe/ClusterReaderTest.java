// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.model.ClusterView.Strays;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterReaderTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void aJobManagerNeverWasUpIfItsDeploymentIsUnavailableSinceItWasMade(long seconds) {
        assertThat(wasEverUp(deployment("False", CREATED.plusSeconds(seconds)))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-4, 4, 60})
    void aJobManagerMayHaveBeenUpIfItsDeploymentBecameUnavailableAtAnotherTime(long seconds) {
        assertThat(wasEverUp(deployment("False", CREATED.plusSeconds(seconds)))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"True", "Unknown"})
    void aJobManagerMayHaveBeenUpUnlessItsDeploymentIsSaidToBeUnavailable(String available) {
        assertThat(wasEverUp(deployment(available, CREATED))).isTrue();
    }

    @Test
    void aJobManagerWasUpIfItsRolloutWasCompletedHoweverShortThatLasted() {
        Deployment deployment =
                deployment("False", CREATED.plusSeconds(2), "NewReplicaSetAvailable");

        assertThat(wasEverUp(deployment)).isTrue();
    }

    /** Available would need both; that the other one is unschedulable is no word of this one. */
    @Test
    void oneOfTwoJobManagersThatIsUpIsThoughTheirDeploymentNeverWasAvailable() {
        JobManagerView.Present one = reading(ofTwo(1));

        assertThat(one.available()).isTrue();
        assertThat(one.everAvailable()).isTrue();
    }

    @Test
    void ofTwoJobManagersThatAreDownTheDeploymentKnowsOnlyThatBothWereUp() {
        assertThat(reading(ofTwo(0)).everAvailable()).isFalse();
        assertThat(wasEverUp(deployment("False", CREATED.plusSeconds(60)))).isTrue();
    }

    private static Deployment ofTwo(int available) {
        return new DeploymentBuilder(deployment("False", CREATED))
                .editSpec()
                .withReplicas(2)
                .endSpec()
                .editStatus()
                .withReplicas(2)
                .withAvailableReplicas(available)
                .withUnavailableReplicas(2 - available)
                .endStatus()
                .build();
    }

    @Test
    void tellsWhatADeploymentBelongsTo() {
        Deployment owned =
                new DeploymentBuilder(deployment("True", CREATED))
                        .editMetadata()
                        .addNewOwnerReference()
                        .withUid("uid-1")
                        .endOwnerReference()
                        .endMetadata()
                        .build();
        var childResources = new ChildResources(Optional.of(owned), List.of(), Optional.empty());

        assertThat(ClusterReader.of(childResources, CREATED).owners()).containsExactly("uid-1");
    }

    @Test
    void aJobManagerThatNoControllerHasSeenNeverWasUp() {
        assertThat(
                        wasEverUp(
                                new DeploymentBuilder(deployment("True", CREATED))
                                        .withStatus(null)
                                        .build()))
                .isFalse();
    }

    @Test
    void refusedTaskManagersAreTheProblemOfAJobManagerThatIsUp() {
        var up =
                new DeploymentBuilder(deployment("True", CREATED))
                        .editStatus()
                        .withAvailableReplicas(1)
                        .endStatus()
                        .build();
        var starting = deployment("False", CREATED);

        assertThat(problemBesideRefusedTaskManagers(up))
                .hasValueSatisfying(
                        problem -> assertThat(problem.message()).isEqualTo("TaskManagers: quota"));
        assertThat(problemBesideRefusedTaskManagers(starting)).isEmpty();
    }

    @Test
    void taskManagersAreLeftAloneOnlyOnceNoJobManagerStandsNotEvenOnItsWayOut() {
        var taskManagers =
                new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("orders-taskmanager")
                        .withUid("t")
                        .addToLabels("type", "flink-standalone-kubernetes")
                        .endMetadata()
                        .build();
        var leaving =
                new DeploymentBuilder(deployment("True", CREATED))
                        .editMetadata()
                        .withDeletionTimestamp(CREATED.toString())
                        .endMetadata()
                        .build();

        assertThat(strays(Optional.of(deployment("True", CREATED)), taskManagers)).isEmpty();
        assertThat(strays(Optional.of(leaving), taskManagers)).isEmpty();
        assertThat(strays(Optional.empty(), taskManagers)).contains(new Strays("t", false));
    }

    @Test
    void whatThePodsSayIsPartOfTheView() {
        Pod first =
                new PodBuilder()
                        .withNewMetadata()
                        .withName("orders-pod")
                        .withCreationTimestamp(CREATED.toString())
                        .addToLabels("component", "jobmanager")
                        .endMetadata()
                        .withNewStatus()
                        .endStatus()
                        .build();
        Pod lost =
                new PodBuilder()
                        .withNewMetadata()
                        .withName("orders-taskmanager-1-1")
                        .withDeletionTimestamp(CREATED.toString())
                        .endMetadata()
                        .build();
        var standing = Optional.of(deployment("True", CREATED));
        var childResources = new ChildResources(standing, List.of(first, lost), Optional.empty());

        var facts = ClusterReader.of(childResources, CREATED.plusSeconds(90)).podFacts();

        assertThat(facts.isFirstProcess()).isTrue();
        assertThat(facts.obstacle())
                .hasValueSatisfying(
                        it -> assertThat(it.text()).startsWith("Pod 'orders-taskmanager-1-1'"));
        assertThat(facts.delay()).isEmpty();
    }

    private static Optional<Strays> strays(
            Optional<Deployment> jobManager, Deployment taskManagers) {
        var childResources =
                new ChildResources(
                        jobManager,
                        Optional.of(taskManagers),
                        List.of(),
                        Optional.empty(),
                        List.of());
        ClusterView view = ClusterReader.of(childResources, CREATED.plusSeconds(90));
        assertThat(view.isGone()).isFalse();
        return view.strays();
    }

    private static Optional<PodProblem> problemBesideRefusedTaskManagers(Deployment jobManager) {
        var refused =
                new DeploymentBuilder(deployment("False", CREATED))
                        .editStatus()
                        .addNewCondition()
                        .withType("ReplicaFailure")
                        .withStatus("True")
                        .withReason("FailedCreate")
                        .withMessage("quota")
                        .endCondition()
                        .endStatus()
                        .build();
        var childResources =
                new ChildResources(
                        Optional.of(jobManager),
                        Optional.of(refused),
                        List.of(),
                        Optional.empty(),
                        List.of());
        return ClusterReader.of(childResources, CREATED.plusSeconds(90)).problem();
    }

    private static boolean wasEverUp(Deployment deployment) {
        return reading(deployment).everAvailable();
    }

    private static JobManagerView.Present reading(Deployment deployment) {
        var childResources =
                new ChildResources(Optional.of(deployment), List.of(), Optional.empty());
        var view = ClusterReader.of(childResources, CREATED.plusSeconds(90));
        return (JobManagerView.Present) view.jobManager();
    }

    private static Deployment deployment(String available, Instant since) {
        return deployment(available, since, "ReplicaSetUpdated");
    }

    private static Deployment deployment(String available, Instant since, String progress) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("orders")
                .withUid("d")
                .withCreationTimestamp(CREATED.toString())
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Progressing")
                .withStatus("True")
                .withReason(progress)
                .endCondition()
                .addNewCondition()
                .withType("Available")
                .withStatus(available)
                .withLastTransitionTime(since.toString())
                .endCondition()
                .endStatus()
                .build();
    }
}
