// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.cli.Orders;
import io.sluice.cli.cluster.Warnings;
import io.sluice.cli.document.Documents;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.Waits;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot that is created and followed, on an API server. The test is the operator. */
class SavepointRunTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:34:56Z");
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String NAME = "orders-savepoint-20260301-123456";
    private static final SnapshotRequest REQUEST =
            new SnapshotRequest(
                    Optional.of(
                            new SavepointSpec(
                                    Optional.empty(), SavepointFormat.CANONICAL, false, false)),
                    4,
                    Map.of());

    private static final String SESSION_JOB =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkSessionJob
            metadata: {name: report}
            spec:
              deploymentName: session
              job: {jarURI: "https://example.org/job.jar", parallelism: 1, upgradeMode: stateless}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private KubernetesClient client;
    private String namespace;

    TestCluster cluster() {
        return InMemoryApiServer.live();
    }

    @BeforeEach
    void start() {
        TestCluster cluster = cluster();
        client = cluster.client();
        namespace = cluster.newNamespace();
        create(ResourceKind.FLINK_DEPLOYMENT, Orders.withMetadata("{name: orders}"));
        create(ResourceKind.FLINK_SESSION_JOB, SESSION_JOB);
    }

    @Test
    void theNameOfWhatWasCreatedIsPrinted() {
        assertThat(run("orders", Optional.empty())).isZero();

        assertThat(out).hasToString("flinksnp/" + NAME + System.lineSeparator());
        assertThat(err.toString()).isEmpty();
        assertThat(snapshot().getSpec().at("/jobReference/name").asText()).isEqualTo("orders");
        assertThat(snapshot().getSpec().at("/savepoint/disposeOnDelete").asBoolean(true)).isFalse();
    }

    @Test
    void aSessionJobIsFoundByItsName() {
        assertThat(run("report", Optional.empty())).isZero();

        assertThat(out.toString()).contains("flinksnp/report-savepoint-");
        assertThat(
                        client.resources(FlinkStateSnapshot.class)
                                .inNamespace(namespace)
                                .withName(NAME.replace("orders", "report"))
                                .get()
                                .getSpec()
                                .at("/jobReference/kind")
                                .asText())
                .isEqualTo("FlinkSessionJob");
    }

    @Test
    void eachChangeIsALineAndTheEndIsThePath() throws Exception {
        CompletableFuture<Integer> end = follow();

        report(Snapshots.IN_PROGRESS);
        awaitLine("IN_PROGRESS SnapshotInProgress: Flink was asked for the snapshot.");
        report(Snapshots.COMPLETED);

        assertThat(end.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(out.toString().lines())
                .containsExactly("flinksnp/" + NAME, "s3://b/savepoint-1");
        assertThat(err.toString().lines())
                .startsWith(
                        "[0:00] IN_PROGRESS SnapshotInProgress: Flink was asked for the snapshot.",
                        "[0:00] COMPLETED SnapshotCompleted",
                        "To start FlinkDeployment orders from it:")
                .last()
                .asString()
                .contains("kubectl patch flinkdep/orders -n " + namespace);
    }

    @Test
    void aFailureIsToldWithWhatToDo() throws Exception {
        CompletableFuture<Integer> end = follow();

        report(Snapshots.FAILED);

        assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(out.toString().lines()).containsExactly("flinksnp/" + NAME);
        assertThat(err.toString()).contains("No space left.", "To try once more: kubectl patch");
    }

    @Test
    void aDeletionEndsTheWaiting() throws Exception {
        CompletableFuture<Integer> end = follow();
        report(Snapshots.IN_PROGRESS);
        awaitLine("IN_PROGRESS");

        client.resources(FlinkStateSnapshot.class).inNamespace(namespace).withName(NAME).delete();

        assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(err.toString()).contains("was deleted before it was complete");
    }

    @Test
    void theWaitingEndsWhenItsTimeIsOver() {
        assertThat(run("orders", Optional.of(Duration.ofMillis(200)))).isEqualTo(3);

        assertThat(err.toString()).contains("No operator has looked at", NAME);
    }

    @Test
    void ofAJobThatDoesNotExistThoseThatDoAreNamed() {
        assertThatThrownBy(() -> run("ordres", Optional.empty()))
                .isInstanceOf(NotCreated.class)
                .hasMessage(
                        "JOB: there is no FlinkDeployment or FlinkSessionJob 'ordres' in namespace '"
                                + namespace
                                + "'; there are: flinkdep/orders, flinksessionjob/report");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aSecondOneInTheSameSecondIsRefused() {
        run("orders", Optional.empty());

        assertThatThrownBy(() -> run("orders", Optional.empty()))
                .isInstanceOf(NotCreated.class)
                .hasMessageContainingAll(NAME, "exists already");
    }

    @Test
    void aMissingNamespaceHasNoJobs() {
        namespace = "nowhere";

        assertThatThrownBy(() -> run("orders", Optional.empty()))
                .isInstanceOf(NotCreated.class)
                .hasMessageContainingAll("'nowhere'", "name another namespace with -n");
    }

    private int run(String job, Optional<Duration> wait) {
        return new SavepointRun(
                        new SnapshotCluster(client, namespace),
                        new Warnings(),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        InstantSource.fixed(NOW))
                .run(JobArgument.of(job, false), REQUEST, wait);
    }

    /** Starts to follow one, and returns once it was created. */
    private CompletableFuture<Integer> follow() {
        CompletableFuture<Integer> end =
                CompletableFuture.supplyAsync(
                        () -> run("orders", Optional.of(LONG)), Thread::startVirtualThread);
        assertThat(Waits.reaches(() -> out.toString().contains(NAME), LONG)).isTrue();
        return end;
    }

    private void awaitLine(String line) {
        assertThat(Waits.reaches(() -> err.toString().contains(line), LONG))
                .as(err.toString())
                .isTrue();
    }

    private void report(FlinkStateSnapshotStatus status) {
        FlinkStateSnapshot snapshot = snapshot();
        snapshot.setStatus(status.onto(JsonNodeFactory.instance.objectNode()));
        client.resource(snapshot).updateStatus();
    }

    private FlinkStateSnapshot snapshot() {
        return client.resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .withName(NAME)
                .get();
    }

    private void create(ResourceKind kind, String yaml) {
        ObjectNode content =
                Documents.single(
                                "-",
                                new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                        .content();
        RawResource resource = RawResource.of(kind);
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(content.at("/metadata/name").asText())
                        .build());
        resource.setSpec((ObjectNode) content.path("spec"));
        client.resource(resource).create();
    }
}
