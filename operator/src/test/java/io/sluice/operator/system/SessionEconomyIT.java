// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a session job's life costs the API server, by the server's own counters. */
class SessionEconomyIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    /**
     * Live reads, all but the last before a job is run: whether the attempt on record still is the
     * one to make real, and its cluster takes it. The last is of an event that is told again.
     */
    private static final Set<String> LIVE_READS =
            Set.of(
                    "GET flinksessionjobs",
                    "GET flinkdeployments",
                    "GET flinkstatesnapshots",
                    "LIST flinkstatesnapshots",
                    "GET events");

    private final List<FlinkSessionJob> seen = new CopyOnWriteArrayList<>();
    private KubernetesClient client;
    private String namespace;
    private RunningOperator operator;
    private FakeCluster flink;
    private Watch watch;
    private volatile boolean gone;

    @BeforeEach
    void start() {
        client = API.client();
        namespace = API.newNamespace();
        operator = new RunningOperator(client, namespace);
        clusterUp();
        watch =
                client.resources(FlinkSessionJob.class)
                        .inNamespace(namespace)
                        .watch(new RecordingWatcher());
    }

    @AfterEach
    void stop() {
        watch.close();
        operator.close();
    }

    @Test
    void aStartTakesFewRequests() {
        ApiRequests made = during(this::create);

        assertThat(made.statusWrites("flinksessionjobs"))
                .as(made.perResource(1))
                .isLessThanOrEqualTo(4);
        assertThat(made.without("POST flinksessionjobs", 1).all())
                .as(made.perResource(1))
                .isLessThanOrEqualTo(12);
    }

    @Test
    void everyTransitionIsWrittenOnceAndReadsAreLiveOnesOnly() {
        oneWriteATransition(this::create);
        oneWriteATransition(() -> edit(spec -> spec.put("restartNonce", 1), "JobRunning"));
        oneWriteATransition(() -> edit(spec -> Specs.withState(spec, "suspended"), "Suspended"));
        oneWriteATransition(() -> edit(spec -> Specs.withState(spec, "running"), "JobRunning"));
        // Whether Flink's metadata have graphs of its jobs, which must not run again.
        oneWriteATransition(
                () -> {
                    client.resource(latest()).delete();
                    soon(() -> assertThat(gone).isTrue());
                },
                Set.of("LIST configmaps"));
    }

    @Test
    void aJobThatRunsCostsTheApiServerNothing() {
        create();
        int calls = flink.calls();
        ApiRequests before = ApiRequests.of(client);

        soon(() -> assertThat(flink.calls()).isGreaterThan(calls + 10));

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
        oneWriteATransition(phase, Set.of());
    }

    private void oneWriteATransition(Runnable phase, Set<String> once) {
        int before = statuses().size();
        ApiRequests made = during(phase);

        List<ObjectNode> told = statuses().subList(before, statuses().size());
        assertThat(told).doesNotHaveDuplicates();
        assertThat(made.statusWrites("flinksessionjobs"))
                .as(made.perResource(1))
                .isEqualTo(told.size());
        // A job more or less has its cluster tell of other TaskManagers.
        assertThat(made.statusWrites()).as("of the cluster").isLessThanOrEqualTo(1);
        assertThat(made.byKind().keySet())
                .filteredOn(kind -> kind.startsWith("GET ") || kind.startsWith("LIST "))
                .filteredOn(kind -> !once.contains(kind))
                .isSubsetOf(LIVE_READS);
        assertThat(made.byKind().keySet()).containsAll(once);
    }

    private ApiRequests during(Runnable phase) {
        ApiRequests before = ApiRequests.of(client);
        phase.run();
        return ApiRequests.of(client).since(before);
    }

    private void clusterUp() {
        var cluster = new FlinkDeployment();
        cluster.setMetadata(metadata("session"));
        cluster.setSpec(SessionSnapshots.sessionCluster());
        client.resource(cluster).create();
        flink = operator.jobManagers().start(RunningOperator.address(namespace, "session"));
        var kubelet = new Kubelet(client, namespace);
        soon(() -> assertThat(kubelet.deployment("session")).isPresent());
        kubelet.makeAvailable("session");
        soon(
                () ->
                        assertThat(
                                        reason(
                                                client.resources(FlinkDeployment.class)
                                                        .inNamespace(namespace)
                                                        .withName("session")
                                                        .get()
                                                        .getStatus()))
                                .isEqualTo("SessionClusterReady"));
    }

    private void create() {
        var job = new FlinkSessionJob();
        job.setMetadata(metadata("report"));
        job.setSpec(SessionSnapshots.sessionJob("savepoint"));
        client.resource(job).create();
        soon(
                () -> {
                    assertThat(seen).isNotEmpty();
                    assertThat(reason(latest().getStatus())).isEqualTo("JobRunning");
                });
        settle();
    }

    private void edit(UnaryOperator<ObjectNode> change, String reason) {
        FlinkSessionJob job = latest();
        job.setSpec(change.apply(job.getSpec().deepCopy()));
        long generation = client.resource(job).update().getMetadata().getGeneration();
        soon(
                () -> {
                    assertThat(latest().getStatus().path("observedGeneration").asLong())
                            .isEqualTo(generation);
                    assertThat(reason(latest().getStatus())).isEqualTo(reason);
                });
        settle();
    }

    private FlinkSessionJob latest() {
        return seen.getLast();
    }

    /** Every status that was ever stored, in order; one that was written again shows twice. */
    private List<ObjectNode> statuses() {
        List<ObjectNode> statuses = new ArrayList<>();
        for (FlinkSessionJob each : seen) {
            ObjectNode status = each.getStatus();
            if (status != null
                    && !status.isEmpty()
                    && (statuses.isEmpty() || !statuses.getLast().equals(status))) {
                statuses.add(status);
            }
        }
        return statuses;
    }

    /** Waits until nothing has changed for a while. */
    private void settle() {
        var known = new AtomicInteger();
        await().atMost(ofSeconds(30))
                .during(ofMillis(1500))
                .until(
                        () -> {
                            int now = seen.size();
                            return known.getAndSet(now) == now;
                        });
    }

    private ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    private static String reason(ObjectNode status) {
        return status == null
                ? ""
                : status.path("conditions")
                        .valueStream()
                        .filter(condition -> condition.path("type").asText().equals("Ready"))
                        .map(condition -> condition.path("reason").asText())
                        .findFirst()
                        .orElse("");
    }

    private final class RecordingWatcher implements Watcher<FlinkSessionJob> {
        @Override
        public void eventReceived(Action action, FlinkSessionJob job) {
            seen.add(job);
            gone = action == Action.DELETED;
        }

        @Override
        public void onClose(WatcherException cause) {}
    }
}
