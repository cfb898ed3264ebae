// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.StateKind;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a running job is asked for, as a real API server stores and tells it. */
class StateTriggersIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

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
        operator = new RunningOperator(client, namespace);
        flink = runJob();
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void savesWhenANonceChangesAndDeletesWhatIsTooMuch() {
        edit(spec -> Specs.withNonce(spec, StateKind.SAVEPOINT, 1));
        soon(() -> assertThat(lastNonce()).isEqualTo(1));
        edit(spec -> Specs.withNonce(spec, StateKind.SAVEPOINT, 2));
        soon(() -> assertThat(lastNonce()).isEqualTo(2));

        soon(() -> assertThat(flink.disposed()).hasSize(1));
        soon(() -> assertThat(status().at("/jobStatus/savepointInfo/savepointHistory")).hasSize(1));
        assertThat(status().at("/reconciliationStatus/lastReconciledSpec").asText())
                .contains("\"savepointTriggerNonce\":2");
        assertThat(status().at("/jobStatus/savepointInfo").has("triggerId")).isFalse();
        soon(() -> assertThat(events("Savepoint")).hasSize(2));
        staysAsItIs();
    }

    @Test
    void tellsOfASavepointThatCannotBeMade() {
        flink.job(jobId()).orElseThrow().failsToSave("disk full");
        edit(
                spec ->
                        Specs.withNonce(
                                Specs.configured(
                                        spec,
                                        "kubernetes.operator.savepoint.trigger.grace-period",
                                        "1 ms"),
                                StateKind.SAVEPOINT,
                                1));

        soon(() -> assertThat(ready()).isEqualTo("SavingFailed"));
        soon(
                () ->
                        assertThat(events("SavepointError"))
                                .singleElement()
                                .satisfies(
                                        event ->
                                                assertThat(event.getMessage())
                                                        .contains(
                                                                "savepointTriggerNonce 1",
                                                                "disk full")));
        staysAsItIs();
    }

    @Test
    void tellsOfAnExceptionOnceAlsoAfterARestartOfTheOperator() {
        flink.job(jobId())
                .orElseThrow()
                .throwsAn(
                        new JobException(
                                "java.lang.Error",
                                "java.lang.Error: boom",
                                Instant.now(),
                                Optional.of("count (1/1)")));

        soon(() -> assertThat(events("JobException")).hasSize(1));
        assertThat(events("JobException").getFirst().getMetadata().getAnnotations())
                .containsEntry("task-name", "count (1/1)");
        operator.close();
        operator = new RunningOperator(client, namespace, operator.jobManagers());
        staysAsItIs();
        assertThat(events("JobException"))
                .singleElement()
                .satisfies(event -> assertThat(event.getCount()).isEqualTo(1));
    }

    @Test
    void saysWhatRuns() {
        soon(
                () ->
                        assertThat(status().at("/clusterInfo/flink-version").asText())
                                .isEqualTo("1.20.5"));
        assertThat(status().at("/clusterInfo").has("total-cpu")).isTrue();
        staysAsItIs();
    }

    private FakeCluster runJob() {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName("orders");
        resource.setSpec(
                Specs.configured(
                        Specs.saving(Specs.application("flink:1.20", "stateless")),
                        "kubernetes.operator.snapshot.resource.enabled",
                        "false"));
        client.resource(resource).create();
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        FakeCluster cluster = operator.jobManagers().start(RunningOperator.address(read()));
        cluster.run(jobId(), "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        kubelet.makeAvailable("orders");
        soon(() -> assertThat(ready()).isEqualTo("JobRunning"));
        return cluster;
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

    private long lastNonce() {
        return status().at("/jobStatus/savepointInfo/lastSavepoint/triggerNonce").asLong();
    }

    private String jobId() {
        return status().at("/jobStatus/jobId").asText();
    }

    private String ready() {
        return status().at("/conditions/1/reason").asText();
    }

    private List<Event> events(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .toList();
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

    private ObjectNode status() {
        return Optional.ofNullable(read().getStatus())
                .orElseGet(() -> JsonNodeFactory.instance.objectNode());
    }
}
