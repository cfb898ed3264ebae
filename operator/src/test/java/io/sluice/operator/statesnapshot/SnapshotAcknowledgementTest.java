// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.SimulatedClock;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How far a snapshot is that Flink makes. */
class SnapshotAcknowledgementTest {
    private static final URI AT = URI.create("http://orders");
    private static final String JOB = "a".repeat(32);

    private final SimulatedClock clock = new SimulatedClock();
    private final InMemoryApiServer api = new InMemoryApiServer(1, clock);
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private final FakeJobManager rest = new FakeJobManager();
    private final FakeCluster flink = rest.start(AT);
    private final FakeJob job =
            flink.run(JOB, "orders", new JobVertex("01", "count", 1, 128, "RUNNING"));
    private final StateSnapshots snapshots =
            new StateSnapshots(
                    client,
                    rest,
                    _ -> AT,
                    (_, _) -> Optional.empty(),
                    false,
                    () -> new DefaultConfiguration(new FlinkConfiguration(Map.of())),
                    SpecValidators.NONE,
                    (_, _) -> {},
                    clock);

    @BeforeEach
    void createJobAndSnapshot() {
        var deployment = new FlinkDeployment();
        deployment.getMetadata().setNamespace(namespace);
        deployment.getMetadata().setName("orders");
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("flinkVersion", "v1_20");
        spec.putObject("job");
        deployment.setSpec(spec);
        FlinkDeployment stored = client.resource(deployment).create();
        ObjectNode status =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("jobManagerDeploymentStatus", "READY")
                        .put("lifecycleState", "STABLE");
        status.putObject("jobStatus").put("jobId", JOB).put("state", "RUNNING");
        stored.setStatus(status);
        client.resource(stored).updateStatus();
        var snapshot = new FlinkStateSnapshot();
        snapshot.getMetadata().setNamespace(namespace);
        snapshot.getMetadata().setName("s-1");
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        wanted.putObject("jobReference").put("kind", "FlinkDeployment").put("name", "orders");
        wanted.putObject("savepoint").put("path", "file:/s").put("disposeOnDelete", false);
        snapshot.setSpec(wanted);
        client.resource(snapshot).create();
    }

    @Test
    void isKnownAsLongAsFlinkMakesItAndNoLonger() {
        job.savesSlowly();
        job.makes(
                new CheckpointInProgress(false, clock.instant(), 16, 3),
                new CheckpointInProgress(true, clock.instant(), 16, 12));

        reconcile();
        assertThat(ratio()).as("Flink has only just been asked").isEmpty();
        reconcile();
        assertThat(ratio()).contains(0.75);
        String before = snapshot().getMetadata().getResourceVersion();
        job.makes(new CheckpointInProgress(true, clock.instant(), 16, 16));
        reconcile();
        assertThat(ratio()).contains(1.0);
        assertThat(snapshot().getMetadata().getResourceVersion())
                .as("no status is written for it")
                .isEqualTo(before);

        job.finishSavepoint();
        reconcile();
        assertThat(snapshot().getStatus().path("state").asText()).isEqualTo("COMPLETED");
        assertThat(ratio()).isEmpty();
        int calls = flink.calls();
        reconcile();
        assertThat(flink.calls()).as("nobody is asked of a snapshot at rest").isEqualTo(calls);
    }

    @Test
    void isForgottenWithTheSnapshot() {
        job.savesSlowly();
        job.makes(new CheckpointInProgress(true, clock.instant(), 16, 12));
        reconcile();
        reconcile();
        assertThat(ratio()).isPresent();
        FlinkStateSnapshot last = snapshot();

        snapshots.reconcile(last, Presence.GONE, (_, _) -> Saved.KEPT);

        assertThat(snapshots.acknowledgedRatio(last.getMetadata().getUid())).isEmpty();
    }

    private Optional<Double> ratio() {
        return snapshots.acknowledgedRatio(snapshot().getMetadata().getUid());
    }

    private FlinkStateSnapshot snapshot() {
        return client.resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .withName("s-1")
                .get();
    }

    private void reconcile() {
        clock.advance(Duration.ofSeconds(10));
        snapshots.reconcile(
                snapshot(),
                Presence.PRESENT,
                (resource, status) -> {
                    resource.setStatus(status);
                    FlinkStateSnapshot stored = client.resource(resource).updateStatus();
                    resource.getMetadata()
                            .setResourceVersion(stored.getMetadata().getResourceVersion());
                    return Saved.KEPT;
                });
    }
}
