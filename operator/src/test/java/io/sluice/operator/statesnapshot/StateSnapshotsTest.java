// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.SimulatedClock;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several snapshots of one job, reconciled one after the other. */
class StateSnapshotsTest {
    private final SimulatedClock clock = new SimulatedClock();
    private final InMemoryApiServer api = new InMemoryApiServer(1, clock);
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private String job = "orders";
    private final StateSnapshots snapshots =
            new StateSnapshots(
                    client,
                    new FakeJobManager(),
                    cluster -> URI.create("http://" + cluster.getMetadata().getName()),
                    (_, _) -> Optional.empty(),
                    true,
                    () -> new DefaultConfiguration(new FlinkConfiguration(Map.of())),
                    SpecValidators.NONE,
                    (_, _) -> {},
                    clock);

    @Test
    void keepsAsManyAsTheJobSays() {
        createJob();
        List.of("s-1", "s-2", "s-3").forEach(this::create);

        clock.advance(Duration.ofMinutes(1));
        reconcile("s-3");

        assertThat(names()).containsExactly("s-2", "s-3");
    }

    /** Its job can't be read, so that nobody knows yet what becomes of its files. */
    @Test
    void countsNoSnapshotWhoseDeletionHasBegun() {
        createJob();
        List.of("s-1", "s-2", "s-3").forEach(this::create);
        client.resource(snapshot("s-2")).delete();
        api.faults(
                call ->
                        call.type().plural().equals("flinkdeployments")
                                ? new CallFault.Answer(500)
                                : CallFault.NONE);
        assertThatThrownBy(() -> reconcile("s-2")).isInstanceOf(KubernetesClientException.class);
        api.faults(_ -> CallFault.NONE);

        clock.advance(Duration.ofMinutes(1));
        reconcile("s-3");

        assertThat(names()).containsExactly("s-1", "s-3");
    }

    /** Its transition has deleted the half that made them. */
    @Test
    void keepsAsManyOfAHalfThatIsGoneAsTheOtherHalfSays() {
        job = "orders-blue";
        List.of("s-1", "s-2", "s-3").forEach(this::create);
        createJob("orders-green", Optional.empty());
        clock.advance(Duration.ofMinutes(1));
        reconcile("s-3");
        assertThat(names()).as("it is of no pair").containsExactly("s-1", "s-2", "s-3");

        client.resource(job("orders-green")).delete();
        createJob("orders-green", Optional.of("orders"));
        clock.advance(Duration.ofMinutes(1));
        reconcile("s-3");

        assertThat(names()).containsExactly("s-2", "s-3");
    }

    private FlinkDeployment job(String name) {
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get();
    }

    private void createJob() {
        createJob("orders", Optional.empty());
    }

    private void createJob(String name, Optional<String> pair) {
        var created = new FlinkDeployment();
        created.getMetadata().setNamespace(namespace);
        created.getMetadata().setName(name);
        created.getMetadata()
                .setOwnerReferences(
                        pair
                                .map(
                                        owner ->
                                                new OwnerReferenceBuilder()
                                                        .withKind("FlinkBlueGreenDeployment")
                                                        .withName(owner)
                                                        .build())
                                .stream()
                                .toList());
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("flinkVersion", "v1_20");
        spec.putObject("job");
        spec.putObject("flinkConfiguration")
                .put("kubernetes.operator.savepoint.history.max.count", "2");
        created.setSpec(spec);
        client.resource(created).create();
    }

    /** A complete savepoint that the operator has made a minute after the one before, and seen. */
    private void create(String name) {
        clock.advance(Duration.ofMinutes(1));
        var created = new FlinkStateSnapshot();
        created.getMetadata().setNamespace(namespace);
        created.getMetadata().setName(name);
        created.getMetadata().setLabels(Map.of(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, "PERIODIC"));
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("jobReference").put("kind", "FlinkDeployment").put("name", job);
        spec.putObject("savepoint").put("disposeOnDelete", true);
        created.setSpec(spec);
        FlinkStateSnapshot stored = client.resource(created).create();
        stored.setStatus(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("state", "COMPLETED")
                        .put("path", "s3://s/" + name));
        client.resource(stored).updateStatus();
        reconcile(name);
    }

    private FlinkStateSnapshot snapshot(String name) {
        return client.resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private void reconcile(String name) {
        snapshots.reconcile(snapshot(name), Presence.PRESENT, (_, _) -> Saved.KEPT);
    }

    /** Those whose deletion has not begun. */
    private List<String> names() {
        return client
                .resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .map(FlinkStateSnapshot::getMetadata)
                .filter(each -> each.getDeletionTimestamp() == null)
                .map(ObjectMeta::getName)
                .toList();
    }
}
