// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.operator.manifest.ManifestRenderer;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.awaitility.core.ThrowingRunnable;

/** A FlinkDeployment on a real API server, with an operator and without a kubelet. */
final class OperatedDeployment implements AutoCloseable {
    private static final JobVertex VERTEX = new JobVertex("01", "work", 1, 4, "RUNNING");

    final KubernetesClient client;
    final String namespace;
    final Kubelet kubelet;
    private final RunningOperator operator;
    private final String name;

    OperatedDeployment(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(client, namespace);
    }

    void create(ObjectNode spec) {
        var deployment = new FlinkDeployment();
        deployment.getMetadata().setName(name);
        deployment.getMetadata().setNamespace(namespace);
        deployment.setSpec(spec);
        client.resource(deployment).create();
    }

    void edit(UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).edit(FlinkDeployment.class, name, change);
    }

    /** As {@code kubectl edit --subresource=status} would. */
    void editStatus(UnaryOperator<ObjectNode> change) {
        client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .editStatus(
                        found -> {
                            found.setStatus(change.apply(found.getStatus().deepCopy()));
                            return found;
                        });
    }

    /** Its JobManager comes up and runs the job. */
    FakeJob runJob() {
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        FakeJob job = operator.jobManagers().start(address()).run(jobId(), name, VERTEX);
        kubelet.makeAvailable(name);
        soon(() -> assertThat(condition("Ready")).isEqualTo("True JobRunning"));
        return job;
    }

    URI address() {
        return RunningOperator.address(namespace, name);
    }

    /** Nothing of the cluster stands any more, as soon as it is to go, and the next one does. */
    void replacedBy(String former) {
        soon(
                () -> {
                    kubelet.finishDeletion(name);
                    assertThat(kubelet.deployment(name)).isPresent();
                    assertThat(attempt()).isNotEqualTo(former);
                });
    }

    String attempt() {
        Deployment deployment = kubelet.deployment(name).orElseThrow();
        return deployment.getMetadata().getAnnotations().get(ManifestRenderer.ATTEMPT_ANNOTATION);
    }

    String jobId() {
        return status().at("/jobStatus/jobId").asText();
    }

    ObjectNode status() {
        return resource().getStatus();
    }

    FlinkDeployment resource() {
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get();
    }

    String condition(String type) {
        for (var condition : status().path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText() + " " + condition.path("reason").asText();
            }
        }
        return "";
    }

    void leaveMap(String map, Map<String, String> data) {
        client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(map)
                                .withNamespace(namespace)
                                .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .withData(data)
                                .build())
                .create();
    }

    Optional<Map<String, String>> map(String map) {
        return Optional.ofNullable(client.configMaps().inNamespace(namespace).withName(map).get())
                .map(found -> Optional.ofNullable(found.getData()).orElseGet(Map::of));
    }

    /** The Flink configuration that the cluster runs with, as one text. */
    String configuration() {
        return map("flink-config-" + name).orElseThrow().toString();
    }

    static void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(30)).untilAsserted(assertion);
    }

    @Override
    public void close() {
        operator.close();
    }
}
