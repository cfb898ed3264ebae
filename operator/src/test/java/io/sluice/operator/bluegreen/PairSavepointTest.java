// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.SimulatedClock;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far the savepoint is that the active half of a pair makes. */
class PairSavepointTest {
    private static final URI AT = URI.create("http://orders-blue");
    private static final String JOB = "a".repeat(32);
    private static final String TRIGGER = "1".repeat(32);

    private final SimulatedClock clock = new SimulatedClock();
    private final InMemoryApiServer api = new InMemoryApiServer(1, clock);
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private final FakeJobManager rest = new FakeJobManager();
    private final FakeCluster flink = rest.start(AT);
    private final ObservationMemory memory = new ObservationMemory();
    private final BlueGreenDeployments pairs =
            new BlueGreenDeployments(
                    client,
                    rest,
                    new PrometheusQueries(Waiting.direct()),
                    _ -> AT,
                    () -> new DefaultConfiguration(new FlinkConfiguration(Map.of())),
                    SpecValidators.NONE,
                    false,
                    memory,
                    (_, _) -> {},
                    clock);

    @Test
    void isKnownAsLongAsFlinkMakesIt() throws IOException {
        var job = flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
        job.savesSlowly();
        job.makes(new CheckpointInProgress(true, clock.instant(), 8, 2));
        rest.triggerSavepoint(
                AT,
                JOB,
                new SavepointRequest(
                        TRIGGER, Optional.empty(), StopRequest.SavepointFormat.CANONICAL));
        FlinkBlueGreenDeployment pair = client.resource(pair()).create();
        pair.setStatus(saving());
        createActiveHalf(pair.getMetadata().getUid());

        pairs.reconcile(pair, Presence.PRESENT, (_, _) -> Saved.KEPT);
        assertThat(memory.savepoints().acknowledgedRatio(pair.getMetadata().getUid()))
                .contains(0.25);

        pairs.reconcile(pair, Presence.GONE, (_, _) -> Saved.KEPT);
        assertThat(memory.savepoints().acknowledgedRatio(pair.getMetadata().getUid())).isEmpty();
    }

    private FlinkBlueGreenDeployment pair() throws IOException {
        var pair = new FlinkBlueGreenDeployment();
        pair.getMetadata().setNamespace(namespace);
        pair.getMetadata().setName("orders");
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("template")
                .set(
                        "spec",
                        yaml(
                                """
                                image: orders:2
                                flinkVersion: v1_20
                                flinkConfiguration: {execution.checkpointing.savepoint-dir: "file:/s"}
                                jobManager: {resource: {memory: 1Gi}}
                                taskManager: {resource: {memory: 1Gi}}
                                job: {jarURI: "local:///job.jar", parallelism: 1, upgradeMode: savepoint}
                                """));
        pair.setSpec(spec);
        return pair;
    }

    private ObjectNode saving() throws IOException {
        return yaml(
                """
                blueGreenState: SAVEPOINTING_BLUE
                transition:
                  {id: t-1, from: BLUE, to: GREEN, generation: 1, handover: overlap, phase: Saving,
                   began: "%1$s", since: "%1$s", deadline: "%2$s",
                   savepoint: {triggerId: "%3$s", jobId: "%4$s", at: "%1$s", tries: 1}}
                """
                        .formatted(
                                clock.instant(),
                                clock.instant().plus(Duration.ofHours(1)),
                                TRIGGER,
                                JOB));
    }

    private void createActiveHalf(String pair) throws IOException {
        var half = new FlinkDeployment();
        half.getMetadata().setNamespace(namespace);
        half.getMetadata().setName("orders-blue");
        half.addOwnerReference(
                new OwnerReferenceBuilder()
                        .withApiVersion("flink.apache.org/v1beta1")
                        .withKind("FlinkBlueGreenDeployment")
                        .withName("orders")
                        .withUid(pair)
                        .withController(true)
                        .build());
        half.setSpec(yaml("{flinkVersion: v1_20, job: {state: running}}"));
        FlinkDeployment stored = client.resource(half).create();
        stored.setStatus(
                yaml(
                        """
                        jobManagerDeploymentStatus: READY
                        lifecycleState: STABLE
                        observedGeneration: 1
                        jobStatus: {jobId: "%s", state: RUNNING}
                        """
                                .formatted(JOB)));
        client.resource(stored).updateStatus();
    }

    private static ObjectNode yaml(String text) throws IOException {
        return (ObjectNode) new YAMLMapper().readTree(text);
    }
}
