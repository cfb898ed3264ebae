// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.operator.system.RunningOperator;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Snapshots as a real API server stores, holds and deletes them. */
class StateSnapshotIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String OF_ORDERS = "jobReference: {kind: FlinkDeployment, name: orders}, ";

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final FakeJobManager jobManagers = new FakeJobManager();
    private KubernetesClient client;
    private String namespace;
    private RunningOperator operator;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        operator = started();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void makesASavepointAndDeletesItWithItsResource() throws IOException {
        FakeCluster flink = runJob();
        create("now", "{" + OF_ORDERS + "savepoint: {path: 'file:///mine'}}");

        soon(() -> assertThat(status("now").state()).isEqualTo(SnapshotState.COMPLETED));
        String path = status("now").path().orElseThrow();
        assertThat(path).startsWith("file:///mine/");
        soon(
                () ->
                        assertThat(read("now").orElseThrow().getMetadata().getLabels())
                                .containsEntry("snapshot.state", "COMPLETED")
                                .containsEntry("snapshot.type", "SAVEPOINT")
                                .containsEntry("job-reference.name", "orders"));
        assertThat(read("now").orElseThrow().getMetadata().getFinalizers())
                .containsExactly(SnapshotMarks.FINALIZER);
        staysAsItIs("now");

        delete("now");

        soon(() -> assertThat(read("now")).isEmpty());
        assertThat(flink.disposed()).containsExactly(path);
    }

    @Test
    void makesACheckpointThatNothingKeepsFromBeingDeleted() throws IOException {
        FakeCluster flink = runJob();
        create("now", "{" + OF_ORDERS + "checkpoint: {}}");

        soon(() -> assertThat(status("now").state()).isEqualTo(SnapshotState.COMPLETED));
        assertThat(status("now").path())
                .hasValueSatisfying(path -> assertThat(path).contains("chk-"));
        assertThat(read("now").orElseThrow().getMetadata().getFinalizers()).isEmpty();

        delete("now");

        soon(() -> assertThat(read("now")).isEmpty());
        assertThat(flink.disposed()).isEmpty();
    }

    @Test
    void makesOneSavepointAlthoughTheOperatorIsReplacedMeanwhile() throws IOException {
        FakeCluster flink = runJob();
        flink.goSilent();
        create("now", "{" + OF_ORDERS + "savepoint: {}}");
        soon(() -> assertThat(reason("now")).isEqualTo("WaitingForJob"));
        operator.close();
        flink.answer();
        operator = started();

        soon(() -> assertThat(status("now").state()).isEqualTo(SnapshotState.COMPLETED));
        assertThat(status("now").failures()).isZero();
        assertThat(status("now").path().orElseThrow())
                .endsWith(status("now").triggerId().orElseThrow());
    }

    @Test
    void letsASnapshotGoThatAnotherOperatorHoldsAndWhoseJobIsGone() throws IOException {
        operator.close();
        create("left", "{" + OF_ORDERS + "savepoint: {disposeOnDelete: false}}");
        create("checkpoint", "{" + OF_ORDERS + "checkpoint: {}}");
        for (String name : List.of("left", "checkpoint")) {
            hold(name);
            store(
                    name,
                    "{state: COMPLETED, path: 'file:/s/1',"
                            + " resultTimestamp: '2026-01-01T00:00:00Z', failures: 0}");
            delete(name);
        }
        assertThat(read("left")).isPresent();

        operator = started();

        soon(() -> assertThat(read("left")).isEmpty());
        soon(() -> assertThat(read("checkpoint")).isEmpty());
    }

    @Test
    void keepsTheFilesThatAJobIsToStartFrom() throws IOException {
        FakeCluster flink = runJob();
        create("now", "{" + OF_ORDERS + "savepoint: {}}");
        soon(() -> assertThat(status("now").state()).isEqualTo(SnapshotState.COMPLETED));
        String path = status("now").path().orElseThrow();
        var other = new FlinkDeployment();
        other.getMetadata().setNamespace(namespace);
        other.getMetadata().setName("copy");
        ObjectNode spec = Specs.application("flink:1.20", "savepoint");
        spec.withObject("/job").put("initialSavepointPath", path);
        other.setSpec(spec);
        client.resource(other).create();

        delete("now");

        soon(() -> assertThat(read("now")).isEmpty());
        assertThat(flink.disposed()).isEmpty();
        soon(() -> assertThat(messages("Cleanup")).anyMatch(text -> text.contains("copy")));
    }

    @Test
    void abandonsASnapshotWhoseJobDoesNotComeInTime() throws IOException {
        create("early", "{" + OF_ORDERS + "savepoint: {}}");
        soon(() -> assertThat(reason("early")).isEqualTo("WaitingForJob"));
        assertThat(status("early").state()).isEqualTo(SnapshotState.TRIGGER_PENDING);

        ahead.set(Duration.ofMinutes(11));

        soon(() -> assertThat(status("early").state()).isEqualTo(SnapshotState.ABANDONED));
        soon(
                () ->
                        assertThat(read("early").orElseThrow().getMetadata().getLabels())
                                .containsEntry("snapshot.state", "ABANDONED"));
        soon(() -> assertThat(messages("SnapshotAbandoned")).hasSize(1));
        delete("early");
        soon(() -> assertThat(read("early")).isEmpty());
    }

    @Test
    void waitsAsLongAsTheConfigurationSays() throws IOException {
        operator.close();
        operator =
                new RunningOperator(
                        client, namespace, Map.of("kubernetes.operator.snapshot.job-wait", "0 s"));

        create("early", "{" + OF_ORDERS + "savepoint: {}}");

        soon(() -> assertThat(status("early").state()).isEqualTo(SnapshotState.ABANDONED));
    }

    @Test
    void letsGoAtTheDeadlineOfAJobThatWasDeletedFirst() throws IOException {
        operator.close();
        create("left", "{" + OF_ORDERS + "savepoint: {}}");
        hold("left");
        store("left", "{state: COMPLETED, path: 'file:/s/1', failures: 0}");
        delete("left");
        operator = started();
        soon(() -> assertThat(status("left").deletion()).isPresent());

        ahead.set(Duration.ofMinutes(6));

        soon(() -> assertThat(read("left")).isEmpty());
        soon(
                () ->
                        assertThat(messages("CleanupFailed"))
                                .anyMatch(text -> text.contains("file:/s/1")));
    }

    private RunningOperator started() {
        return new RunningOperator(
                client, namespace, jobManagers, () -> Instant.now().plus(ahead.get()));
    }

    private FakeCluster runJob() {
        var kubelet = new Kubelet(client, namespace);
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName("orders");
        resource.setSpec(Specs.saving(Specs.application("flink:1.20", "stateless")));
        client.resource(resource).create();
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        FakeCluster cluster = jobManagers.start(RunningOperator.address(namespace, "orders"));
        cluster.run(jobId(), "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        kubelet.makeAvailable("orders");
        soon(
                () ->
                        assertThat(orders().getStatus().at("/jobStatus/state").asText())
                                .isEqualTo("RUNNING"));
        return cluster;
    }

    private String jobId() {
        return orders().getStatus().at("/jobStatus/jobId").asText();
    }

    private FlinkDeployment orders() {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .get();
    }

    private void create(String name, String spec) throws IOException {
        new Kubectl(client, namespace)
                .create(
                        new FlinkStateSnapshot(),
                        name,
                        (ObjectNode) new YAMLMapper().readTree(spec));
    }

    private void hold(String name) {
        FlinkStateSnapshot resource = read(name).orElseThrow();
        resource.getMetadata().setFinalizers(List.of(SnapshotMarks.FINALIZER));
        client.resource(resource).update();
    }

    private void store(String name, String status) throws IOException {
        FlinkStateSnapshot resource = read(name).orElseThrow();
        resource.setStatus((ObjectNode) new YAMLMapper().readTree(status));
        client.resource(resource).updateStatus();
    }

    private void delete(String name) {
        new Kubectl(client, namespace).delete(FlinkStateSnapshot.class, name);
    }

    private Optional<FlinkStateSnapshot> read(String name) {
        return Optional.ofNullable(
                client.resources(FlinkStateSnapshot.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get());
    }

    private FlinkStateSnapshotStatus status(String name) {
        return read(name)
                .map(FlinkStateSnapshot::getStatus)
                .map(FlinkStateSnapshotStatus::of)
                .orElse(FlinkStateSnapshotStatus.NEW);
    }

    private String reason(String name) {
        return status(name).condition("Ready").orElseThrow().reason();
    }

    private List<String> messages(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .toList();
    }

    private void staysAsItIs(String name) {
        String version = read(name).orElseThrow().getMetadata().getResourceVersion();
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(
                                                read(name)
                                                        .orElseThrow()
                                                        .getMetadata()
                                                        .getResourceVersion())
                                        .isEqualTo(version));
    }
}
