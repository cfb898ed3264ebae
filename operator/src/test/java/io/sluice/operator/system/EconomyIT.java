// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a deployment's life costs the API server, by the server's own counters. */
class EconomyIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    /**
     * Live reads, all but the last before a start or an end: what stands of the cluster, Flink's
     * own metadata of it, whether the attempt on record still is the one to make real, and the
     * FlinkStateSnapshots that an upgrade waits for or that the job has requested. The last is of
     * an event that is told again.
     */
    private static final Set<String> LIVE_READS =
            Set.of(
                    "LIST deployments",
                    "LIST pods",
                    "LIST configmaps",
                    "GET deployments",
                    "GET flinkdeployments",
                    "GET flinkstatesnapshots",
                    "LIST flinkstatesnapshots",
                    "GET events");

    private KubernetesClient client;
    private RunningOperator operator;
    private WatchedCluster cluster;

    @BeforeEach
    void start() {
        client = API.client();
        String namespace = API.newNamespace();
        operator = new RunningOperator(client, namespace);
        cluster = new WatchedCluster(client, namespace, operator.jobManagers());
    }

    @AfterEach
    void stop() {
        cluster.close();
        operator.close();
    }

    /**
     * Eleven; one more if it takes more than a second to render the manifests, as the first ones of
     * a process, and two if a reconciliation comes before a watch tells of what was made.
     */
    @Test
    void aStartTakesFewRequests() {
        ApiRequests made = during(this::create);

        assertThat(made.statusWrites()).as(made.perResource(1)).isLessThanOrEqualTo(3);
        assertThat(made.without("POST flinkdeployments", 1).without("PUT deployments/status", 1))
                .satisfies(
                        own ->
                                assertThat(own.writes())
                                        .as(own.perResource(1))
                                        .isLessThanOrEqualTo(10))
                .satisfies(
                        own ->
                                assertThat(own.all())
                                        .as(own.perResource(1))
                                        .isLessThanOrEqualTo(14));
    }

    /** Eight, and three more as above. */
    @Test
    void aSessionClusterTakesFewRequests() {
        ApiRequests made = during(this::createSessionCluster);

        assertThat(made.statusWrites()).as(made.perResource(1)).isLessThanOrEqualTo(2);
        assertThat(made.without("POST flinkdeployments", 1).without("PUT deployments/status", 1))
                .satisfies(
                        own ->
                                assertThat(own.writes())
                                        .as(own.perResource(1))
                                        .isLessThanOrEqualTo(8))
                .satisfies(
                        own ->
                                assertThat(own.all())
                                        .as(own.perResource(1))
                                        .isLessThanOrEqualTo(11));
    }

    @Test
    void everyTransitionIsWrittenOnceAndReadsAreLiveOnesOnly() {
        oneWriteATransition(this::create);
        oneWriteATransition(() -> edit(spec -> spec.put("image", "flink:1.20-new"), "JobRunning"));
        oneWriteATransition(() -> edit(spec -> Specs.withState(spec, "suspended"), "Suspended"));
        oneWriteATransition(() -> edit(spec -> Specs.withState(spec, "running"), "JobRunning"));
        oneWriteATransition(
                () -> {
                    client.resource(cluster.latest()).delete();
                    soon(() -> assertThat(cluster.isGone()).isTrue());
                });
    }

    @Test
    void aJobThatRunsCostsTheApiServerNothing() {
        create();
        int calls = cluster.calls();
        ApiRequests before = ApiRequests.of(client);

        soon(() -> assertThat(cluster.calls()).isGreaterThan(calls + 5));

        assertThat(ApiRequests.of(client).since(before).byKind()).isEmpty();
    }

    @Test
    void aJobThatIsSuspendedCostsTheApiServerNothing() {
        create();
        edit(spec -> Specs.withState(spec, "suspended"), "Suspended");
        ApiRequests before = ApiRequests.of(client);

        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(ApiRequests.of(client).since(before).byKind()).isEmpty());
    }

    private void oneWriteATransition(Runnable phase) {
        int before = cluster.statuses().size();
        ApiRequests made = during(phase);

        List<ObjectNode> told = cluster.statuses().subList(before, cluster.statuses().size());
        assertThat(told).doesNotHaveDuplicates();
        assertThat(made.statusWrites()).as(made.perResource(1)).isEqualTo(told.size());
        assertThat(made.byKind().keySet())
                .filteredOn(kind -> kind.startsWith("GET ") || kind.startsWith("LIST "))
                .isSubsetOf(LIVE_READS);
    }

    private ApiRequests during(Runnable phase) {
        ApiRequests before = ApiRequests.of(client);
        phase.run();
        return ApiRequests.of(client).since(before);
    }

    private void create() {
        cluster.create(
                Specs.configured(
                        Specs.saving(Specs.application("flink:1.20", "savepoint")),
                        "execution.checkpointing.dir",
                        "file:///c"));
        soon(() -> assertThat(cluster.ready()).isEqualTo("JobRunning"));
        cluster.settle();
    }

    private void createSessionCluster() {
        cluster.create(SessionSnapshots.sessionCluster());
        soon(() -> assertThat(cluster.ready()).isEqualTo("SessionClusterReady"));
        cluster.settle();
    }

    private void edit(UnaryOperator<ObjectNode> change, String reason) {
        cluster.edit(change);
        soon(
                () -> {
                    assertThat(cluster.isObserved()).isTrue();
                    assertThat(cluster.ready()).isEqualTo(reason);
                });
        cluster.settle();
    }
}
