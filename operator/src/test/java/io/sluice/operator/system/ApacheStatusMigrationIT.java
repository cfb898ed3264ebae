// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.testkit.ApiServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Apache operator is gone, its resource and its cluster are there, and Sluice is started. */
class ApacheStatusMigrationIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String NAME = "orders";
    private static final String SESSION = "session";

    private KubernetesClient client;
    private Kubelet kubelet;
    private String namespace;

    @BeforeEach
    void prepare() {
        client = API.client();
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
    }

    @Test
    void leavesAJobThatRunsAloneAndReportsIt() {
        FlinkDeployment resource = leaveResource("steady", Predecessor.spec());
        String uid = leaveCluster(resource).getMetadata().getUid();
        String before = deployment().getMetadata().getResourceVersion();
        try (var operator = new RunningOperator(client, namespace)) {
            run(operator, resource);

            soon(() -> assertThat(condition("Ready")).isEqualTo("True JobRunning"));
            await().during(ofSeconds(3))
                    .atMost(ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(deployment().getMetadata().getResourceVersion())
                                            .isEqualTo(before));
            assertThat(deployment().getMetadata().getUid()).isEqualTo(uid);
            assertThat(resource().getStatus().path("lifecycleState").asText()).isEqualTo("STABLE");
            // Nobody knows the savepoint that was asked for any more: it is settled in words.
            assertThat(resource().getStatus().at("/jobStatus/savepointInfo/triggerId").asText())
                    .isEmpty();
        }
    }

    /** Their operator keeps what its autoscaler asked for in the spec that it took up. */
    @Test
    void leavesAJobAloneThatWasScaledWhetherThatIsStillAskedForOrNot() {
        ObjectNode spec = Predecessor.spec();
        spec.withObject("/flinkConfiguration").put("job.autoscaler.enabled", "true");
        FlinkDeployment resource = leaveResource("steady", spec);
        client.resource(scaled(resource)).updateStatus();
        var asked =
                client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(AutoscalerOverrides.PREFIX + NAME)
                                .withNamespace(namespace)
                                .withLabels(Map.of("app", NAME, "component", "autoscaler"))
                                .endMetadata()
                                .addToData("parallelismOverrides", "0a:3,01:4")
                                .build());
        asked.create();
        String uid = leaveCluster(resource).getMetadata().getUid();
        try (var operator = new RunningOperator(client, namespace)) {
            run(operator, resource);
            soon(() -> assertThat(condition("Ready")).isEqualTo("True JobRunning"));
            assertThat(recordedOverrides()).isEqualTo("01:4,0a:3");

            asked.delete();

            soon(() -> assertThat(recordedOverrides()).isEmpty());
            assertThat(condition("Ready")).isEqualTo("True JobRunning");
            assertThat(deployment().getMetadata().getUid()).isEqualTo(uid);
        }
    }

    private static FlinkDeployment scaled(FlinkDeployment resource) {
        ObjectNode reconciliation = resource.getStatus().withObject("/reconciliationStatus");
        for (String field : List.of("lastReconciledSpec", "lastStableSpec")) {
            ReconciledSpec taken =
                    ReconciledSpec.decode(reconciliation.path(field).asText()).orElseThrow();
            taken.spec()
                    .withObjectProperty("flinkConfiguration")
                    .put(ParallelismOverrides.KEY, "01:4,0a:3");
            reconciliation.put(field, taken.encode());
        }
        return resource;
    }

    private String recordedOverrides() {
        return ReconciledSpec.decode(
                        resource()
                                .getStatus()
                                .at("/reconciliationStatus/lastReconciledSpec")
                                .asText())
                .orElseThrow()
                .spec()
                .path("flinkConfiguration")
                .path(ParallelismOverrides.KEY)
                .asText();
    }

    @Test
    void adoptsAClusterThatWasMadeAndNotRecorded() {
        FlinkDeployment resource = leaveResource("deployed-unrecorded", Predecessor.spec());
        String uid = leaveCluster(resource).getMetadata().getUid();
        try (var operator = new RunningOperator(client, namespace)) {
            run(operator, resource);

            soon(() -> assertThat(condition("Ready")).isEqualTo("True JobRunning"));
            assertThat(deployment().getMetadata().getUid()).isEqualTo(uid);
        }
    }

    @Test
    void startsTheClusterOfAnUpgradeThatWasCutOffFromTheMetadataThatIsLeft() {
        leaveResource("upgrading-with-last-state", Predecessor.spec());
        leaveMetadata();
        try (var _ = new RunningOperator(client, namespace)) {
            soon(() -> assertThat(kubelet.deployment(NAME)).isPresent());

            soon(
                    () ->
                            assertThat(
                                            client.configMaps()
                                                    .inNamespace(namespace)
                                                    .withName("flink-config-" + NAME)
                                                    .get()
                                                    .getData()
                                                    .toString())
                                    .contains("KUBERNETES_OPERATOR_LAST_STATE", Predecessor.JOB));
            assertThat(
                            client.configMaps()
                                    .inNamespace(namespace)
                                    .withName(NAME + "-" + Predecessor.JOB + "-config-map")
                                    .get()
                                    .getData())
                    .containsKey("checkpointID-0000000000000000007");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"steady", "flat"})
    void leavesASessionClusterAndItsJobAlone(String left) {
        FlinkDeployment cluster =
                leave(
                        new FlinkDeployment(),
                        SESSION,
                        FlinkDeploymentReconciler.FINALIZER,
                        "session-cluster-" + left,
                        Predecessor.sessionCluster());
        leave(
                new FlinkSessionJob(),
                "report",
                FlinkSessionJobReconciler.FINALIZER,
                "session-job-" + left,
                Predecessor.sessionJob());
        leaveCluster(cluster);
        Deployment before = kubelet.deployment(SESSION).orElseThrow();
        try (var operator = new RunningOperator(client, namespace)) {
            FakeCluster flink = operator.jobManagers().start(RunningOperator.address(cluster));
            flink.run(Predecessor.JOB, "report", new JobVertex("01", "work", 1, 4, "RUNNING"));

            soon(() -> assertThat(ready(statusOfJob())).isEqualTo("True JobRunning"));
            soon(() -> assertThat(ready(statusOfCluster())).isEqualTo("True SessionClusterReady"));
            int calls = flink.calls();
            soon(() -> assertThat(flink.calls()).isGreaterThan(calls + 10));
            assertThat(flink.changes()).isZero();
            assertThat(kubelet.deployment(SESSION).orElseThrow().getMetadata())
                    .isEqualTo(before.getMetadata());
            assertThat(statusOfJob().path("lifecycleState").asText()).isEqualTo("STABLE");
            assertThat(statusOfJob().at("/jobStatus/jobId").asText()).isEqualTo(Predecessor.JOB);
            assertThat(statusOfCluster().path("lifecycleState").asText()).isEqualTo("STABLE");
        }
    }

    private ObjectNode statusOfJob() {
        return client.resources(FlinkSessionJob.class)
                .inNamespace(namespace)
                .withName("report")
                .get()
                .getStatus();
    }

    private ObjectNode statusOfCluster() {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(SESSION)
                .get()
                .getStatus();
    }

    private FlinkDeployment leaveResource(String status, ObjectNode spec) {
        return leave(
                new FlinkDeployment(), NAME, FlinkDeploymentReconciler.FINALIZER, status, spec);
    }

    private <R extends CustomResource<ObjectNode, ObjectNode>> R leave(
            R resource, String name, String finalizer, String status, ObjectNode spec) {
        resource.getMetadata().setName(name);
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setFinalizers(List.of(finalizer));
        resource.setSpec(spec);
        R created = client.resource(resource).create();
        ObjectNode left = Predecessor.status(status);
        left.put("observedGeneration", created.getMetadata().getGeneration());
        created.setStatus(left);
        return client.resource(created).updateStatus();
    }

    /** Flink's own manifests, without any name of Sluice's. */
    private Deployment leaveCluster(FlinkDeployment resource) {
        String name = resource.getMetadata().getName();
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(resource.getSpec(), "spec").value();
        List<HasMetadata> manifests =
                ManifestRenderer.render(
                        new ClusterPlan(
                                namespace,
                                name,
                                resource.getMetadata().getUid(),
                                resource.getMetadata().getGeneration(),
                                spec,
                                spec.flinkConfiguration(),
                                Predecessor.JOB,
                                Predecessor.JOB,
                                new StartFrom.Nothing(),
                                Optional.empty()));
        Deployment deployment = (Deployment) manifests.getFirst();
        deployment.getMetadata().getAnnotations().remove(ManifestRenderer.ATTEMPT_ANNOTATION);
        deployment
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .remove(ManifestRenderer.ATTEMPT_ANNOTATION);
        Deployment standing = client.resource(deployment).create();
        for (HasMetadata manifest : manifests.subList(1, manifests.size())) {
            manifest.getMetadata()
                    .setOwnerReferences(
                            List.of(
                                    new OwnerReferenceBuilder()
                                            .withApiVersion("apps/v1")
                                            .withKind("Deployment")
                                            .withName(name)
                                            .withUid(standing.getMetadata().getUid())
                                            .withController(true)
                                            .withBlockOwnerDeletion(true)
                                            .build()));
            client.resource(manifest).create();
        }
        kubelet.makeAvailable(name);
        return standing;
    }

    private void leaveMetadata() {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(NAME + "-" + Predecessor.JOB + "-config-map")
                                .withNamespace(namespace)
                                .withLabels(Map.of("app", NAME, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .addToData("checkpointID-0000000000000000007", "a")
                                .build())
                .create();
    }

    private static void run(RunningOperator operator, FlinkDeployment resource) {
        operator.jobManagers()
                .start(RunningOperator.address(resource))
                .run(Predecessor.JOB, NAME, new JobVertex("01", "work", 1, 4, "RUNNING"));
    }

    private Deployment deployment() {
        return kubelet.deployment(NAME).orElseThrow();
    }

    private FlinkDeployment resource() {
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(NAME).get();
    }

    private String condition(String type) {
        return condition(resource().getStatus(), type);
    }

    private static String ready(ObjectNode status) {
        return condition(status, "Ready");
    }

    private static String condition(ObjectNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals(type))
                .findFirst()
                .map(
                        condition ->
                                condition.path("status").asText()
                                        + " "
                                        + condition.path("reason").asText())
                .orElse("");
    }
}
