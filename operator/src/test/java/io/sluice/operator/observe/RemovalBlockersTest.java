// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.model.ClusterView.Remnant;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RemovalBlockersTest {
    private static final Instant ENDED_BY = Instant.parse("2026-01-01T00:00:30Z");
    private static final Instant SOON_AFTER = ENDED_BY.plusSeconds(10);
    private static final Instant LATER = ENDED_BY.plusSeconds(20);

    @Test
    void beforeTheRemovalThereIsNone() {
        var standing = new DeploymentBuilder(removed()).editMetadata();
        standing.withDeletionTimestamp(null);

        assertThat(
                        remnant(
                                Optional.of(standing.endMetadata().build()),
                                List.of(ending("a")),
                                LATER))
                .isEmpty();
    }

    @Test
    void aPodThatEndsInItsTimeIsNotWorthAWord() {
        assertThat(remnant(Optional.of(removed()), List.of(ending("a")), SOON_AFTER)).isEmpty();
    }

    @Test
    void aPodWhoseNodeDoesNotConfirmItsEndIsNamedWithTheNode() {
        var remnant = remnant(Optional.of(removed()), List.of(ending("a")), LATER);

        assertThat(remnant).hasValueSatisfying(it -> assertThat(it.overdue()).isTrue());
        assertThat(remnant.map(Remnant::text).orElse(""))
                .startsWith("Pod 'a' was to have ended by 2026-01-01T00:00:30Z, and node 'n1'");
    }

    @Test
    void aPodThatIsKeptByAFinalizerIsNamedWithIt() {
        Pod held = ending("a");
        held.getMetadata().getFinalizers().add("example.com/held");

        assertThat(remnant(Optional.empty(), List.of(held), LATER))
                .contains(
                        new Remnant(
                                "Pod 'a' waits for what set its finalizers: example.com/held.",
                                true));
    }

    @Test
    void aDeploymentIsNamedOnlyWithAFinalizerThatIsNotKubernetesOwn() {
        Deployment held = removed();
        held.getMetadata().getFinalizers().add("foregroundDeletion");
        assertThat(remnant(Optional.of(held), List.of(), LATER)).isEmpty();

        held.getMetadata().getFinalizers().add("example.com/held");
        assertThat(remnant(Optional.of(held), List.of(), LATER))
                .contains(
                        new Remnant(
                                "Deployment 'orders' waits for what set its finalizers:"
                                        + " example.com/held.",
                                true));
    }

    @Test
    void aPodThatNobodyHasAskedToEndIsNamedOnceItsDeploymentIsGone() {
        Pod running = ending("a");
        running.getMetadata().setDeletionTimestamp(null);

        assertThat(remnant(Optional.of(removed()), List.of(running), LATER)).isEmpty();
        assertThat(remnant(Optional.empty(), List.of(running), LATER))
                .contains(new Remnant("Pod 'a' runs on, though its Deployment is gone.", false));
    }

    @Test
    void whatIsOverdueIsNamedFirstAndOneAfterTheOther() {
        Pod running = ending("a");
        running.getMetadata().setDeletionTimestamp(null);

        assertThat(
                        remnant(Optional.empty(), List.of(ending("c"), ending("b"), running), LATER)
                                .map(Remnant::text)
                                .orElse(""))
                .startsWith("Pod 'b'");
    }

    @Test
    void podsOfTaskManagersThatWereLeftAloneAreNotToldButTheirDeployment() {
        Pod running = running("taskmanager");

        assertThat(ofStrays(taskManagers(null), running, LATER))
                .contains(
                        new Remnant(
                                "Deployment 'orders-taskmanager' stands without a JobManager, and"
                                        + " is deleted.",
                                false));
        assertThat(ofStrays(taskManagers("2026-01-01T00:00:00Z"), running, LATER)).isEmpty();
        assertThat(ofStrays(taskManagers("2026-01-01T00:00:00Z"), running("jobmanager"), LATER))
                .contains(new Remnant("Pod 'a' runs on, though its Deployment is gone.", false));
    }

    @Test
    void taskManagersThatAFinalizerKeepsAreNamedWithIt() {
        Deployment held = taskManagers("2026-01-01T00:00:00Z");
        held.getMetadata().getFinalizers().add("example.com/held");

        assertThat(ofStrays(held, running("taskmanager"), LATER))
                .contains(
                        new Remnant(
                                "Deployment 'orders-taskmanager' waits for what set its"
                                        + " finalizers: example.com/held.",
                                true));
    }

    @Test
    void whatIsInTheWayOfAStandingClusterIsAPodThatIsOverdueOrOutOfReach() {
        assertThat(inTheWay(SOON_AFTER, ending("a"))).isEmpty();
        assertThat(inTheWay(LATER, ending("a")).map(Remnant::text).orElse(""))
                .startsWith("Pod 'a' was to have ended by 2026-01-01T00:00:30Z, and node 'n1'");
        assertThat(inTheWay(SOON_AFTER, outOfReach(running("taskmanager"))))
                .contains(
                        new Remnant(
                                "Pod 'a' is on node 'n1', which does not answer. If the node is"
                                        + " down for good, delete the Node; if the pod's processes"
                                        + " have certainly ended, delete the pod with --force.",
                                true));
        assertThat(inTheWay(LATER, running("taskmanager"))).isEmpty();
    }

    @Test
    void onceTheClusterIsOnItsWayOutNothingIsInTheWayButLeft() {
        assertThat(
                        RemovalBlockers.inTheWay(
                                new ChildResources(
                                        Optional.of(removed()),
                                        List.of(Trimmed.pod(ending("a"))),
                                        Optional.empty()),
                                LATER))
                .isEmpty();
    }

    private static Optional<Remnant> inTheWay(Instant now, Pod pod) {
        Deployment standing =
                new DeploymentBuilder(removed())
                        .editMetadata()
                        .withDeletionTimestamp(null)
                        .endMetadata()
                        .build();
        return RemovalBlockers.inTheWay(
                new ChildResources(
                        Optional.of(standing), List.of(Trimmed.pod(pod)), Optional.empty()),
                now);
    }

    private static Pod outOfReach(Pod pod) {
        return new PodBuilder(pod)
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("False")
                .endCondition()
                .addNewCondition()
                .withType("ContainersReady")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private static Optional<Remnant> ofStrays(Deployment taskManagers, Pod pod, Instant now) {
        return RemovalBlockers.of(
                new ChildResources(
                        Optional.empty(),
                        Optional.of(taskManagers),
                        List.of(pod),
                        Optional.empty(),
                        List.of()),
                now);
    }

    private static Optional<Remnant> remnant(
            Optional<Deployment> jobManager, List<Pod> pods, Instant now) {
        return RemovalBlockers.of(new ChildResources(jobManager, pods, Optional.empty()), now);
    }

    private static Deployment taskManagers(@Nullable String deleted) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("orders-taskmanager")
                .addToLabels("type", "flink-standalone-kubernetes")
                .withDeletionTimestamp(deleted)
                .endMetadata()
                .build();
    }

    private static Pod running(String component) {
        return new PodBuilder(ending("a"))
                .editMetadata()
                .withDeletionTimestamp(null)
                .addToLabels("component", component)
                .endMetadata()
                .build();
    }

    private static Deployment removed() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("orders")
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
    }

    private static Pod ending(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withDeletionTimestamp(ENDED_BY.toString())
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
    }
}
