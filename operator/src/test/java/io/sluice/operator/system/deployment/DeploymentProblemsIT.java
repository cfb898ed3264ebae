// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Crds;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A FlinkDeployment that something keeps from running, and what its status says of that. */
class DeploymentProblemsIT {
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
    void bringsAPodsOwnReasonIntoTheConditionAndAnEvent() {
        orders.create(Specs.application("flink:nowhere", "stateless"));
        soon(() -> assertThat(orders.cluster()).isPresent());

        orders.kubelet.failPod("orders", "ImagePullBackOff", "no such image flink:nowhere");

        soon(
                () -> {
                    assertThat(orders.message("Stalled"))
                            .contains("ImagePullBackOff", "no such image flink:nowhere");
                    assertThat(orders.events())
                            .anyMatch(event -> event.getReason().equals("ImagePullBackOff"));
                });
    }

    @Test
    void saysWhatKeepsAClusterFromBeingRendered() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        String factor = "kubernetes.jobmanager.memory.limit-factor";

        spec.withObject("/flinkConfiguration").put(factor, "0.5");
        orders.create(spec);

        soon(
                () -> {
                    assertThat(orders.condition("Stalled")).isEqualTo("True ManifestsRefused");
                    assertThat(orders.message("Stalled")).contains(factor);
                });
    }

    @Test
    void namesTheVolumeThatAPodWaitsForAndTakesItForAProblemAfterAWhile() {
        orders.restartOperator(Duration.ofMinutes(1));
        orders.create(Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(orders.cluster()).isPresent());
        orders.kubelet.failPod("orders", "PodInitializing", "");
        Pod pod = orders.client.pods().inNamespace(orders.namespace).withName("orders-pod").get();
        String said =
                "MountVolume.SetUp failed for volume \"files\" : configmap \"orders\" not found";
        tellOf(pod, "FailedMount", said);

        waitFor(pod, "ContainerCreating");

        soon(
                () -> {
                    assertThat(orders.condition("Stalled"))
                            .isEqualTo("False JobManagerIsDeploying");
                    assertThat(orders.message("Reconciling"))
                            .endsWith("FailedMount: pod orders-pod: " + said);
                });
        orders.restartOperator(Duration.ofMinutes(6));
        soon(
                () -> {
                    assertThat(orders.condition("Stalled")).isEqualTo("True PodProblem");
                    assertThat(orders.message("Stalled"))
                            .endsWith("FailedMount: pod orders-pod: " + said);
                    assertThat(orders.events())
                            .filteredOn(
                                    event ->
                                            event.getInvolvedObject()
                                                    .getKind()
                                                    .equals("FlinkDeployment"))
                            .anyMatch(event -> event.getReason().equals("FailedMount"));
                });
    }

    @Test
    void makesTheConfigurationAnewThatAPodWaitsFor() {
        orders.restartOperator(Duration.ofMinutes(1));
        orders.create(Specs.application("flink:1.20", "stateless"));
        soon(() -> assertThat(orders.cluster()).isPresent());
        String before = orders.configuration();
        orders.client
                .configMaps()
                .inNamespace(orders.namespace)
                .withName("flink-config-orders")
                .delete();
        orders.kubelet.failPod("orders", "PodInitializing", "");
        Pod pod = orders.client.pods().inNamespace(orders.namespace).withName("orders-pod").get();
        tellOf(
                pod,
                "FailedMount",
                "MountVolume.SetUp failed for volume \"flink-config-volume\" : configmap"
                        + " \"flink-config-orders\" not found");

        waitFor(pod, "ContainerCreating");

        soon(() -> assertThat(orders.configuration()).isEqualTo(before));
    }

    private void waitFor(Pod pod, String reason) {
        pod.getStatus().getContainerStatuses().getFirst().getState().getWaiting().setReason(reason);
        orders.client.resource(pod).updateStatus();
    }

    @Test
    void leavesADeploymentOfSomebodyElseAloneAndSaysSo() {
        var theirs =
                new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("orders")
                        .withNamespace(orders.namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("web")
                        .withImage("web")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build();
        orders.client.resource(theirs).create();

        orders.create(Specs.application("flink:1.20", "stateless"));

        soon(
                () ->
                        assertThat(orders.message("Stalled"))
                                .contains("Deployment 'orders' is there already"));
        assertThat(orders.cluster().orElseThrow().getSpec().getSelector())
                .isEqualTo(theirs.getSpec().getSelector());
    }

    @Test
    void reportsASpecThatCannotBeReadAndStillLetsItBeDeleted() {
        try (var _ = laxSchema()) {
            soon(() -> orders.create(Specs.broken(Specs.application("", "stateless"))));

            soon(
                    () -> {
                        assertThat(orders.condition("Stalled")).isEqualTo("True SpecInvalid");
                        assertThat(orders.message("Stalled")).contains("spec.image");
                    });
            orders.delete();
            soon(() -> assertThat(orders.found()).isEmpty());
        }
    }

    private void tellOf(Pod pod, String reason, String message) {
        orders.client
                .resource(
                        new EventBuilder()
                                .withNewMetadata()
                                .withName(pod.getMetadata().getName() + ".1")
                                .withNamespace(orders.namespace)
                                .endMetadata()
                                .withType("Warning")
                                .withReason(reason)
                                .withMessage(message)
                                .withLastTimestamp("2026-01-01T00:00:00Z")
                                .withNewInvolvedObject()
                                .withApiVersion("v1")
                                .withKind("Pod")
                                .withName(pod.getMetadata().getName())
                                .withNamespace(orders.namespace)
                                .withUid(pod.getMetadata().getUid())
                                .endInvolvedObject()
                                .build())
                .create();
    }

    /** As an object may be stored that was admitted by an older schema. */
    private AutoCloseableQuietly laxSchema() {
        var strict = Crds.all(orders.client).getFirst();
        var lax = Crds.all(orders.client).getFirst();
        var schema = lax.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
        var spec = schema.getProperties().get("spec");
        spec.setProperties(null);
        spec.setXKubernetesValidations(null);
        spec.setXKubernetesPreserveUnknownFields(true);
        schema.setXKubernetesValidations(null);
        orders.client.resource(lax).forceConflicts().serverSideApply();
        return () -> orders.client.resource(strict).forceConflicts().serverSideApply();
    }

    private interface AutoCloseableQuietly extends AutoCloseable {
        @Override
        void close();
    }
}
