// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A FlinkDeployment on a real API server, with an operator and without a kubelet. */
final class OperatedDeployment implements AutoCloseable {
    private static final JobVertex VERTEX = new JobVertex("01", "work", 1, 4, "RUNNING");
    private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";

    final KubernetesClient client;
    final String namespace;
    final Kubelet kubelet;
    private final String name;
    private RunningOperator operator;
    private FakeCluster flink = new FakeCluster();

    OperatedDeployment(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(client, namespace);
    }

    void create(ObjectNode spec) {
        new Kubectl(client, namespace).create(new FlinkDeployment(), name, spec);
    }

    void edit(UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).edit(FlinkDeployment.class, name, change);
    }

    void editStatus(UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).editStatus(FlinkDeployment.class, name, change);
    }

    /** Somebody removes the whole status, with the patch that docs/rescue.md gives. */
    void removeStatus() {
        var _ =
                client.resources(FlinkDeployment.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
    }

    /** Somebody deletes its Deployment. */
    void loseCluster() {
        client.apps().deployments().inNamespace(namespace).withName(name).delete();
        soon(() -> assertThat(cluster()).isEmpty());
    }

    /** Its JobManager comes up and runs the job. */
    FakeJob runJob() {
        return runJob(_ -> {});
    }

    /** The job is {@code prepared} before its JobManager's pod is ready. */
    FakeJob runJob(Consumer<FakeJob> prepared) {
        soon(() -> assertThat(cluster()).isPresent());
        flink = operator.jobManagers().start(address());
        FakeJob job = flink.run(jobId(), name, VERTEX);
        prepared.accept(job);
        kubelet.makeAvailable(name);
        soon(() -> assertThat(condition("Ready")).isEqualTo("True JobRunning"));
        return job;
    }

    /** What answers as its JobManager, since the job was run last. */
    FakeCluster flink() {
        return flink;
    }

    /** Nothing answers any more where its JobManager did. */
    void loseJobManager() {
        operator.jobManagers().stop(address());
    }

    /** The states of the jobs that its JobManager lists. */
    List<String> jobStates() {
        return operator.jobManagers().jobs(address()).answer().orElseThrow().stream()
                .map(JobOverview::state)
                .toList();
    }

    /** The process of the operator ends, and another one takes over. */
    void restartOperator() {
        restartOperator(Duration.ZERO);
    }

    /** The next process of the operator takes it for later than it is. */
    void restartOperator(Duration ahead) {
        operator.close();
        operator =
                new RunningOperator(
                        client,
                        namespace,
                        operator.jobManagers(),
                        InstantSource.offset(InstantSource.system(), ahead));
    }

    URI address() {
        return RunningOperator.address(namespace, name);
    }

    Optional<Deployment> cluster() {
        return kubelet.deployment(name);
    }

    /** Whether its cluster is being deleted. */
    boolean isLeaving() {
        return kubelet.isLeaving(name);
    }

    /** Nothing is left of its cluster if that is being deleted. */
    void finishDeletion() {
        kubelet.finishDeletion(name);
    }

    /** Nothing of the cluster stands any more, as soon as it is to go, and the next one does. */
    void replacedBy(String former) {
        soon(
                () -> {
                    finishDeletion();
                    assertThat(cluster()).isPresent();
                    assertThat(attempt()).isNotEqualTo(former);
                });
    }

    String attempt() {
        Deployment deployment = cluster().orElseThrow();
        return deployment.getMetadata().getAnnotations().get(ManifestRenderer.ATTEMPT_ANNOTATION);
    }

    String jobId() {
        return status().at("/jobStatus/jobId").asText();
    }

    ObjectNode status() {
        return resource().getStatus();
    }

    FlinkDeployment resource() {
        return found().orElseThrow();
    }

    /** As the API server has it, unless it is gone. */
    Optional<FlinkDeployment> found() {
        return Optional.ofNullable(
                client.resources(FlinkDeployment.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get());
    }

    void delete() {
        client.resource(resource()).delete();
    }

    String condition(String type) {
        JsonNode found = find(type);
        return found.isMissingNode()
                ? ""
                : found.path("status").asText() + " " + found.path("reason").asText();
    }

    String message(String type) {
        return find(type).path("message").asText();
    }

    private JsonNode find(String type) {
        return status().path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals(type))
                .findFirst()
                .orElseGet(MissingNode::getInstance);
    }

    List<Event> events() {
        return client.v1().events().inNamespace(namespace).list().getItems();
    }

    /** The messages of the events of a reason. */
    String told(String reason) {
        return events().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .collect(Collectors.joining("\n"));
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

    /** A JobManager leads, by what an elector has written to the ConfigMap. */
    void leads(String map, String record) {
        client.configMaps()
                .inNamespace(namespace)
                .withName(map)
                .edit(
                        found ->
                                new ConfigMapBuilder(found)
                                        .editMetadata()
                                        .addToAnnotations(LEADER, record)
                                        .endMetadata()
                                        .build());
    }

    String leader(String map) {
        return client.configMaps()
                .inNamespace(namespace)
                .withName(map)
                .get()
                .getMetadata()
                .getAnnotations()
                .get(LEADER);
    }

    /** The Flink configuration that the cluster runs with, as one text. */
    String configuration() {
        return map("flink-config-" + name).orElseThrow().toString();
    }

    /** The spec of a job with high availability, and folders for what it keeps. */
    static ObjectNode stateful(String upgradeMode) {
        var spec = Specs.application("flink:1.20", upgradeMode);
        spec.putObject("flinkConfiguration")
                .put("execution.checkpointing.dir", "file:///data/c")
                .put("execution.checkpointing.savepoint-dir", "file:///data/s")
                .put("high-availability.type", "kubernetes")
                .put("high-availability.storageDir", "file:///data/h");
        return spec;
    }

    @Override
    public void close() {
        operator.close();
    }
}
