// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.StateKind;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The FlinkStateSnapshots that a running job's requests become, on a real API server. */
class SnapshotRequestsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final FakeJobManager jobManagers = new FakeJobManager();
    private KubernetesClient client;
    private String namespace;
    private Kubelet kubelet;
    private RunningOperator operator;
    private FakeCluster flink;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
        operator = started();
        flink = runJob();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void makesASnapshotOfEachNonceAndKeepsTheJobsStatusFreeOfIt() {
        edit(spec -> Specs.withNonce(spec, StateKind.SAVEPOINT, 1));
        soon(() -> assertThat(states("MANUAL")).containsExactly("COMPLETED"));
        edit(spec -> Specs.withNonce(spec, StateKind.CHECKPOINT, 1));
        soon(() -> assertThat(states("MANUAL")).containsExactly("COMPLETED", "COMPLETED"));

        FlinkStateSnapshot savepoint = snapshots("MANUAL").getLast();
        assertThat(savepoint.getMetadata().getName()).matches("orders-savepoint-manual-\\d+");
        assertThat(savepoint.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(savepoint.getMetadata().getLabels()).doesNotContainKey("team");
        assertThat(savepoint.getMetadata().getFinalizers()).isEmpty();
        assertThat(savepoint.getSpec().at("/jobReference/kind").asText())
                .isEqualTo("FlinkDeployment");
        soon(() -> assertThat(ready()).isEqualTo("JobRunning"));
        soon(
                () ->
                        assertThat(status().at("/reconciliationStatus/lastReconciledSpec").asText())
                                .contains("\"savepointTriggerNonce\":1")
                                .contains("\"checkpointTriggerNonce\":1"));
        assertThat(status().at("/jobStatus").has("savepointInfo")).isFalse();
        assertThat(status().at("/jobStatus").has("checkpointInfo")).isFalse();
        assertThat(messages("Savepoint"))
                .singleElement()
                .satisfies(
                        text ->
                                assertThat(text)
                                        .contains(
                                                savepoint.getMetadata().getName(),
                                                savepoint.getStatus().path("path").asText()));
        staysAsItIs();
    }

    @Test
    void registersTheSavepointOfAStop() {
        edit(spec -> Specs.withImage(spec, "flink:new"));

        soon(() -> assertThat(states("UPGRADE")).containsExactly("COMPLETED"));
        FlinkStateSnapshot registered = snapshots("UPGRADE").getFirst();
        assertThat(registered.getSpec().at("/savepoint/alreadyExists").asBoolean()).isTrue();
        assertThat(registered.getStatus().path("path").asText())
                .isEqualTo(status().at("/jobStatus/upgradeSavepointPath").asText())
                .isNotEmpty();
        soon(() -> assertThat(status().at("/jobStatus").has("savepointInfo")).isFalse());
    }

    @Test
    void saysOnTheJobThatAQuotaRefusesTheSnapshot() {
        allowNoSnapshots();
        edit(
                spec ->
                        Specs.withNonce(
                                Specs.configured(
                                        spec,
                                        "kubernetes.operator.savepoint.trigger.grace-period",
                                        "1 s"),
                                StateKind.SAVEPOINT,
                                1));

        soon(() -> assertThat(ready()).isEqualTo("SavingFailed"));
        soon(
                () ->
                        assertThat(messages("SavepointError"))
                                .singleElement()
                                .satisfies(
                                        text ->
                                                assertThat(text)
                                                        .contains(
                                                                "savepointTriggerNonce 1",
                                                                "could not be created",
                                                                "quota")));
        assertThat(snapshots("MANUAL")).isEmpty();
    }

    @Test
    void makesOneSnapshotAlthoughTheOperatorIsReplacedMeanwhile() {
        flink.goSilent();
        edit(spec -> Specs.withNonce(spec, StateKind.SAVEPOINT, 1));
        operator.close();
        flink.answer();
        operator = started();

        soon(() -> assertThat(states("MANUAL")).containsExactly("COMPLETED"));
        soon(() -> assertThat(ready()).isEqualTo("JobRunning"));
        staysAsItIs();
        assertThat(snapshots("MANUAL")).hasSize(1);
    }

    @Test
    void deletesTheOldestPeriodicOnesWithTheirFiles() {
        edit(
                spec ->
                        Specs.configured(
                                Specs.configured(
                                        spec,
                                        "kubernetes.operator.savepoint.dispose-on-delete",
                                        "true"),
                                "kubernetes.operator.periodic.savepoint.interval",
                                "1 h"));
        ahead.set(Duration.ofMinutes(61));
        soon(() -> assertThat(states("PERIODIC")).containsExactly("COMPLETED"));
        String first = path(snapshots("PERIODIC").getFirst());
        ahead.set(Duration.ofMinutes(122));
        soon(() -> assertThat(states("PERIODIC")).containsExactly("COMPLETED", "COMPLETED"));
        String second = path(snapshots("PERIODIC").getLast());

        soon(() -> assertThat(flink.disposed()).containsExactly(first));

        soon(() -> assertThat(snapshots("PERIODIC")).hasSize(1));
        assertThat(path(snapshots("PERIODIC").getFirst())).isEqualTo(second);
    }

    /** No controller counts here: what it would say is written by hand. */
    private void allowNoSnapshots() {
        String counted = "count/flinkstatesnapshots.flink.apache.org";
        ResourceQuota quota =
                client.resource(
                                new ResourceQuotaBuilder()
                                        .withNewMetadata()
                                        .withNamespace(namespace)
                                        .withName("none")
                                        .endMetadata()
                                        .withNewSpec()
                                        .addToHard(counted, new Quantity("0"))
                                        .endSpec()
                                        .build())
                        .create();
        client.resource(
                        new ResourceQuotaBuilder(quota)
                                .withNewStatus()
                                .addToHard(counted, new Quantity("0"))
                                .addToUsed(counted, new Quantity("0"))
                                .endStatus()
                                .build())
                .updateStatus();
    }

    private static String path(FlinkStateSnapshot snapshot) {
        return snapshot.getStatus().path("path").asText();
    }

    private RunningOperator started() {
        return new RunningOperator(
                client, namespace, jobManagers, () -> Instant.now().plus(ahead.get()));
    }

    private FakeCluster runJob() {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName("orders");
        resource.getMetadata().setLabels(Map.of("team", "a"));
        resource.setSpec(
                Specs.configured(
                        Specs.saving(Specs.application("flink:1.20", "savepoint")),
                        "execution.checkpointing.dir",
                        "file:///c"));
        client.resource(resource).create();
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        FakeCluster cluster = jobManagers.start(RunningOperator.address(read()));
        cluster.run(
                status().at("/jobStatus/jobId").asText(),
                "orders",
                new JobVertex("01", "count", 1, 128, "RUNNING"));
        kubelet.makeAvailable("orders");
        soon(() -> assertThat(ready()).isEqualTo("JobRunning"));
        return cluster;
    }

    private void edit(UnaryOperator<ObjectNode> change) {
        new Kubectl(client, namespace).edit(FlinkDeployment.class, "orders", change);
    }

    private FlinkDeployment read() {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .get();
    }

    private JsonNode status() {
        return read().getStatus();
    }

    private String ready() {
        for (JsonNode condition : status().path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("reason").asText();
            }
        }
        return "";
    }

    /** In the order of their names. */
    private List<FlinkStateSnapshot> snapshots(String triggerType) {
        return client.resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .withLabel("snapshot.trigger-type", triggerType)
                .list()
                .getItems();
    }

    private List<String> states(String triggerType) {
        return snapshots(triggerType).stream()
                .map(it -> it.getStatus() == null ? "" : it.getStatus().path("state").asText())
                .toList();
    }

    private List<String> messages(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .toList();
    }

    private void staysAsItIs() {
        String version = read().getMetadata().getResourceVersion();
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(read().getMetadata().getResourceVersion())
                                        .isEqualTo(version));
    }
}
