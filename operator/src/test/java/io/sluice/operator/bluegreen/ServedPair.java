// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A pair named orders on a real API server, the clusters of its halves, and its operator, which
 * ends after each test.
 */
final class ServedPair implements AfterEachCallback {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final FakeJobManager jobManagers = new FakeJobManager();
    private final KubernetesClient client;
    private final String namespace;
    private final Kubelet kubelet;
    private RunningOperator operator;

    /** With an operator that may do everything. */
    ServedPair(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        kubelet = new Kubelet(client, namespace);
        operator = operatorOf(client);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        endOperator();
    }

    /** Another operator; to be closed by the caller. */
    RunningOperator operatorOf(KubernetesClient account) {
        return new RunningOperator(
                account, namespace, jobManagers, () -> Instant.now().plus(ahead.get()));
    }

    void endOperator() {
        operator.close();
    }

    /** The clock of the operator is so much ahead from now on. */
    void passes(Duration time) {
        ahead.set(time);
    }

    void restart(boolean isKilled) {
        if (isKilled) {
            operator.close();
            operator = operatorOf(client);
        }
    }

    void create() {
        create(UnaryOperator.identity());
    }

    void create(UnaryOperator<ObjectNode> change) {
        ObjectNode half = change.apply(Specs.saving(Specs.application("flink:1.20", "savepoint")));
        half.withObject("/flinkConfiguration").put("execution.checkpointing.dir", "file:///c");
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("template").set("spec", half);
        new Kubectl(client, namespace).create(new FlinkBlueGreenDeployment(), "orders", spec);
    }

    void edit(Consumer<ObjectNode> change) {
        new Kubectl(client, namespace)
                .edit(
                        FlinkBlueGreenDeployment.class,
                        "orders",
                        found -> {
                            ObjectNode spec = found.deepCopy();
                            change.accept((ObjectNode) spec.at("/template/spec"));
                            return spec;
                        });
    }

    void configure(String key, String value) {
        new Kubectl(client, namespace)
                .edit(
                        FlinkBlueGreenDeployment.class,
                        "orders",
                        found -> {
                            ObjectNode spec = found.deepCopy();
                            spec.withObject("/configuration").put(key, value);
                            return spec;
                        });
    }

    void editStatus(UnaryOperator<FlinkBlueGreenDeploymentStatus> change) {
        new Kubectl(client, namespace)
                .editStatus(
                        FlinkBlueGreenDeployment.class,
                        "orders",
                        found ->
                                change.apply(FlinkBlueGreenDeploymentStatus.of(found)).onto(found));
    }

    /** A half is as if it had never been made. */
    void remove(String color) {
        new Kubectl(client, namespace).remove(FlinkDeployment.class, "orders-" + color);
    }

    /** The cluster of a half comes up, and its job runs. */
    void run(String name) {
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        soon(() -> assertThat(jobId(name)).isNotEmpty());
        jobManagers
                .start(RunningOperator.address(namespace, name))
                .run(jobId(name), name, new JobVertex("01", "count", 1, 128, "RUNNING"));
        kubelet.makeAvailable(name);
    }

    private String jobId(String name) {
        return Optional.ofNullable(
                        client.resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .withName(name)
                                .get())
                .map(FlinkDeployment::getStatus)
                .map(status -> status.at("/jobStatus/jobId").asText())
                .orElse("");
    }

    /** The Deployment of a half goes once the operator has deleted it. */
    void finish(String name) {
        soon(
                () -> {
                    kubelet.finishDeletion(name);
                    assertThat(kubelet.deployment(name)).isEmpty();
                });
    }

    void gone(String color) {
        gone(color, half(color).map(it -> it.getMetadata().getUid()).orElse(""));
    }

    void gone(String color, String uid) {
        soon(
                () -> {
                    kubelet.finishDeletion("orders-" + color);
                    assertThat(half(color).map(it -> it.getMetadata().getUid()))
                            .isNotEqualTo(Optional.of(uid));
                });
        collectGarbage();
    }

    /** Nothing else deletes what belonged to a cluster: there is no controller manager. */
    private void collectGarbage() {
        Set<String> owners =
                Stream.<HasMetadata>concat(
                                client
                                        .apps()
                                        .deployments()
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .stream(),
                                client
                                        .resources(FlinkDeployment.class)
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .stream())
                        .map(owner -> owner.getMetadata().getUid())
                        .collect(Collectors.toSet());
        Stream.<HasMetadata>concat(
                        client.services().inNamespace(namespace).list().getItems().stream(),
                        client.configMaps().inNamespace(namespace).list().getItems().stream())
                .filter(it -> !it.getMetadata().getOwnerReferences().isEmpty())
                .filter(
                        it ->
                                it.getMetadata().getOwnerReferences().stream()
                                        .noneMatch(owner -> owners.contains(owner.getUid())))
                .forEach(it -> client.resource(it).delete());
    }

    boolean isLeaving(String color) {
        return half(color)
                .filter(it -> it.getMetadata().getDeletionTimestamp() != null)
                .isPresent();
    }

    Optional<FlinkDeployment> half(String color) {
        return Optional.ofNullable(
                client.resources(FlinkDeployment.class)
                        .inNamespace(namespace)
                        .withName("orders-" + color)
                        .get());
    }

    Optional<FlinkBlueGreenDeployment> resource() {
        return Optional.ofNullable(
                client.resources(FlinkBlueGreenDeployment.class)
                        .inNamespace(namespace)
                        .withName("orders")
                        .get());
    }

    FlinkBlueGreenDeploymentStatus status() {
        return resource()
                .map(FlinkBlueGreenDeployment::getStatus)
                .map(FlinkBlueGreenDeploymentStatus::of)
                .orElse(FlinkBlueGreenDeploymentStatus.NEW);
    }

    String reason() {
        return status().condition("Ready").map(it -> it.reason()).orElse("");
    }

    String state() {
        return status().blueGreenState().map(it -> it.wire()).orElse("")
                + " "
                + status().jobState().map(it -> it.wire()).orElse("")
                + " "
                + reason();
    }

    List<String> messages(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .toList();
    }

    void staysAsItIs() {
        String version = resource().orElseThrow().getMetadata().getResourceVersion();
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(
                                                resource()
                                                        .orElseThrow()
                                                        .getMetadata()
                                                        .getResourceVersion())
                                        .isEqualTo(version));
    }
}
