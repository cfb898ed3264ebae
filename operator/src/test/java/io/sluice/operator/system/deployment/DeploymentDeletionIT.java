// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.operator.system.deployment.OperatedDeployment.stateful;
import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A FlinkDeployment that is deleted, and what it leaves or another one has left. */
class DeploymentDeletionIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private OperatedDeployment orders;

    @BeforeEach
    void start() {
        orders = new OperatedDeployment(API.client(), API.newNamespace(), "orders");
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    @Test
    void endsADeletionEvenThoughNothingAnswersAndLeavesNothingBehind() {
        orders.create(Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(orders.cluster()).isPresent());
        leaveRecovery();

        orders.delete();

        soon(
                () -> {
                    orders.finishDeletion();
                    assertThat(orders.found()).isEmpty();
                    assertThat(orders.cluster()).isEmpty();
                });
        assertThat(recovery()).isEmpty();
    }

    @Test
    void cancelsTheJobOfADeletedResourceBeforeItsClusterGoes() {
        ObjectNode spec = stateful("savepoint");
        spec.withObject("/flinkConfiguration")
                .remove(List.of("high-availability.type", "high-availability.storageDir"));
        orders.create(spec);
        orders.runJob();
        List<String> states = new CopyOnWriteArrayList<>();

        orders.delete();

        soon(
                () -> {
                    if (orders.found().isPresent()) {
                        states.addAll(orders.jobStates());
                    }
                    orders.finishDeletion();
                    assertThat(orders.found()).isEmpty();
                });
        assertThat(states).contains("CANCELED");
    }

    @Test
    void namesThePodThatKeepsADeletedResource() {
        orders.restartOperator(Duration.ofMinutes(1));
        orders.create(Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(orders.cluster()).isPresent());
        orders.kubelet.failPod("orders", "ImagePullBackOff", "no such image");
        var pod = orders.client.pods().inNamespace(orders.namespace).withName("orders-pod");
        pod.edit(
                found -> {
                    found.addFinalizer("example.com/held");
                    return found;
                });

        orders.delete();
        soon(
                () -> {
                    orders.finishDeletion();
                    assertThat(orders.message("Reconciling")).contains("Pod 'orders-pod' runs on");
                });
        pod.delete();

        soon(
                () -> {
                    assertThat(orders.condition("Stalled")).isEqualTo("True RemovalOverdue");
                    assertThat(orders.message("Stalled"))
                            .contains("'orders-pod' waits for", "example.com/held");
                    assertThat(orders.status().path("lifecycleState").asText())
                            .isEqualTo("DELETING");
                    assertThat(orders.events())
                            .filteredOn(event -> event.getReason().equals("CleanupFailed"))
                            .singleElement()
                            .satisfies(
                                    event ->
                                            assertThat(event.getMessage())
                                                    .contains("example.com/held"));
                });
        pod.edit(
                found -> {
                    found.getMetadata().setFinalizers(List.of());
                    return found;
                });
        soon(() -> assertThat(orders.found()).isEmpty());
    }

    /** There nothing can be created any more, not even an event. */
    @Test
    void endsADeletionInANamespaceThatIsBeingDeleted() {
        orders.create(stateful("savepoint"));
        orders.runJob();
        leaveRecovery();
        orders.client.namespaces().withName(orders.namespace).delete();
        soon(
                () ->
                        assertThatThrownBy(() -> orders.leaveMap("late", Map.of()))
                                .hasMessageContaining("it is being terminated"));

        orders.delete();

        soon(
                () -> {
                    orders.finishDeletion();
                    assertThat(orders.found()).isEmpty();
                    assertThat(orders.cluster()).isEmpty();
                });
        assertThat(recovery()).isEmpty();
    }

    @Test
    void startsAStatelessJobWithoutWhatAnEarlierOneLeftForItsRecovery() {
        leaveRecovery();

        orders.create(Specs.application("flink:1.20", "stateless"));

        soon(() -> assertThat(orders.cluster()).isPresent());
        assertThat(recovery()).isEmpty();
    }

    @Test
    void asksAHumanWhereAnEarlierJobsStateMayBeWanted() {
        leaveRecovery();

        orders.create(stateful("last-state"));

        soon(
                () ->
                        assertThat(orders.message("Stalled"))
                                .contains(recoveryName(), "delete the ConfigMaps"));
        assertThat(orders.cluster()).isEmpty();
        assertThat(recovery()).isPresent();

        orders.edit(spec -> spec.put("image", "flink:1.20-new"));
        soon(() -> assertThat(orders.status().path("observedGeneration").asLong()).isEqualTo(2));
        orders.delete();

        soon(() -> assertThat(orders.found()).isEmpty());
        assertThat(recovery()).isPresent();
        soon(() -> assertThat(orders.told("Cleanup")).contains("0123456789abcdef0123456789abcdef"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "suspended"})
    void leavesAClusterOfItsNameThatWasThereBeforeAndItsMetadata(String state) {
        Deployment theirs = orders.client.resource(handRun("orders")).create();
        orders.kubelet.makeAvailable("orders");
        leaveRecovery();
        orders.create(Specs.withState(stateful("savepoint"), state));
        soon(
                () ->
                        assertThat(orders.condition("Ready"))
                                .isEqualTo(
                                        state.equals("running")
                                                ? "False WaitingForRemoval"
                                                : "True Suspended"));

        orders.delete();

        soon(() -> assertThat(orders.found()).isEmpty());
        assertThat(orders.cluster().orElseThrow().getMetadata())
                .returns(theirs.getMetadata().getUid(), ObjectMeta::getUid)
                .returns(null, ObjectMeta::getDeletionTimestamp);
        assertThat(recovery()).isPresent();
        soon(
                () ->
                        assertThat(orders.told("Cleanup"))
                                .contains("cluster 'orders' exist that were not made for it"));
    }

    @Test
    void deletesTheMetadataOfAResourceThatRan() {
        orders.create(stateful("savepoint"));
        orders.runJob();
        leaveRecovery();

        orders.delete();

        soon(
                () -> {
                    orders.finishDeletion();
                    assertThat(orders.found()).isEmpty();
                });
        assertThat(orders.cluster()).isEmpty();
        assertThat(recovery()).isEmpty();
    }

    /** As {@code flink run-application} makes it. */
    private Deployment handRun(String name) {
        Map<String, String> labels =
                Map.of("app", name, "component", "jobmanager", "type", "flink-native-kubernetes");
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(orders.namespace)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("flink-main-container")
                .withImage("flink:1.20")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private void leaveRecovery() {
        orders.leaveMap(recoveryName(), Map.of("checkpointID-0000000000000000007", "a"));
    }

    private static String recoveryName() {
        return "orders-0123456789abcdef0123456789abcdef-config-map";
    }

    private Optional<Map<String, String>> recovery() {
        return orders.map(recoveryName());
    }
}
