// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.model.Reason;
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
import org.junit.jupiter.api.Test;

/** Of a pair whose transition to its green half is being aborted. */
class PairEffectsTest {
    private static final URI AT = URI.create("http://jm:8081");

    private final SimulatedClock clock = new SimulatedClock();
    private final InMemoryApiServer api = new InMemoryApiServer(1, clock);
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private final BlueGreenDeployments pairs =
            new BlueGreenDeployments(
                    client,
                    new FakeJobManager(),
                    new PrometheusQueries(Waiting.direct()),
                    _ -> AT,
                    () -> new DefaultConfiguration(new FlinkConfiguration(Map.of())),
                    SpecValidators.NONE,
                    false,
                    new ObservationMemory(),
                    (_, _) -> {},
                    clock);

    @Test
    void aHalfIsChangedThatIsAsItWasSeen() throws IOException {
        var outcome = pairs.reconcile(aborting(), Presence.PRESENT, (_, _) -> Saved.KEPT);

        assertThat(outcome.reason()).as("its reason").isEqualTo(Reason.PAIR_ABORTING);
        assertThat(state("orders-green")).isEqualTo("suspended");
    }

    /** This process stood still between its status and what it does. */
    @Test
    void aHalfIsLeftAloneThatAnotherProcessHasChangedSince() throws IOException {
        pairs.reconcile(
                aborting(),
                Presence.PRESENT,
                (_, _) -> {
                    mark("orders-green", "t-2");
                    return Saved.KEPT;
                });

        assertThat(state("orders-green")).isEqualTo("running");
    }

    private FlinkBlueGreenDeployment aborting() throws IOException {
        var pair = new FlinkBlueGreenDeployment();
        pair.getMetadata().setNamespace(namespace);
        pair.getMetadata().setName("orders");
        pair.setSpec(
                yaml(
                        """
                        template:
                          spec:
                            image: orders:2
                            flinkVersion: v1_20
                            serviceAccount: flink
                            flinkConfiguration:
                              execution.checkpointing.savepoint-dir: s3://s
                              execution.checkpointing.dir: s3://c
                            jobManager: {resource: {cpu: 0.1, memory: 1g}}
                            taskManager: {resource: {cpu: 0.1, memory: 1g}}
                            job: {jarURI: "local:///job.jar", parallelism: 1, upgradeMode: savepoint}
                        """));
        FlinkBlueGreenDeployment stored = client.resource(pair).create();
        stored.setStatus(
                yaml(
                        """
                        blueGreenState: TRANSITIONING_TO_GREEN
                        transition:
                          {id: t-1, from: BLUE, to: GREEN, generation: 1, handover: overlap,
                           phase: Aborting, outcome: Aborted, began: "%1$s", since: "%1$s",
                           deadline: "%2$s"}
                        """
                                .formatted(
                                        clock.instant(),
                                        clock.instant().plus(Duration.ofHours(1)))));
        create("orders-blue", stored.getMetadata().getUid());
        create("orders-green", stored.getMetadata().getUid());
        mark("orders-green", "t-1");
        return stored;
    }

    private void create(String name, String pair) throws IOException {
        var half = new FlinkDeployment();
        half.getMetadata().setNamespace(namespace);
        half.getMetadata().setName(name);
        half.addOwnerReference(
                new OwnerReferenceBuilder()
                        .withApiVersion("flink.apache.org/v1beta1")
                        .withKind("FlinkBlueGreenDeployment")
                        .withName("orders")
                        .withUid(pair)
                        .withController(true)
                        .build());
        half.setSpec(yaml("{flinkVersion: v1_20, job: {state: running, upgradeMode: savepoint}}"));
        client.resource(half).create();
    }

    private void mark(String half, String mark) {
        client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(half)
                .edit(
                        it -> {
                            it.getMetadata().setAnnotations(Map.of(HalfReader.MARK, mark));
                            return it;
                        });
    }

    private String state(String half) {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(half)
                .get()
                .getSpec()
                .at("/job/state")
                .asText();
    }

    private static ObjectNode yaml(String text) throws IOException {
        return (ObjectNode) new YAMLMapper().readTree(text);
    }
}
