// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.manifest.ManifestRenderer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A deployment's user, nodes and onlooker, who only watch: what the API server counts as reads is
 * the operator's.
 */
final class WatchedCluster implements AutoCloseable {
    private static final String NAME = "orders";

    private final KubernetesClient client;
    private final String namespace;
    private final FakeJobManager jobManagers;
    private final List<FlinkDeployment> seen = new CopyOnWriteArrayList<>();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final ExecutorService hands = Executors.newSingleThreadExecutor();
    private final List<Watch> watches;
    private volatile boolean gone;
    private volatile Optional<FakeCluster> flink = Optional.empty();

    WatchedCluster(KubernetesClient client, String namespace, FakeJobManager jobManagers) {
        this.client = client;
        this.namespace = namespace;
        this.jobManagers = jobManagers;
        watches =
                List.of(
                        client.resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .watch(onlooker(this::see)),
                        client.apps()
                                .deployments()
                                .inNamespace(namespace)
                                .watch(onlooker((_, deployment) -> handle(deployment))));
    }

    void create(ObjectNode spec) {
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(NAME).build());
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    void edit(UnaryOperator<ObjectNode> change) {
        FlinkDeployment resource = latest();
        resource.setSpec(change.apply(resource.getSpec().deepCopy()));
        client.resource(resource).update();
    }

    FlinkDeployment latest() {
        return seen.getLast();
    }

    /** Every status that was ever stored, in order; one that was written again shows twice. */
    List<ObjectNode> statuses() {
        List<ObjectNode> statuses = new ArrayList<>();
        for (FlinkDeployment each : seen) {
            ObjectNode status = each.getStatus();
            if (status != null
                    && !status.isEmpty()
                    && (statuses.isEmpty() || !statuses.getLast().equals(status))) {
                statuses.add(status);
            }
        }
        return statuses;
    }

    boolean isGone() {
        return gone;
    }

    boolean isObserved() {
        return latest().getStatus().path("observedGeneration").asLong()
                == latest().getMetadata().getGeneration();
    }

    String ready() {
        return seen.isEmpty() || latest().getStatus() == null
                ? ""
                : latest().getStatus().at("/conditions/1/reason").asText();
    }

    /** How often the JobManager that runs now was asked. */
    int calls() {
        return flink.map(FakeCluster::calls).orElse(0);
    }

    /** Waits until nothing has changed for a while. */
    void settle() {
        AtomicInteger known = new AtomicInteger();
        await().atMost(ofSeconds(30))
                .during(ofMillis(1500))
                .until(
                        () -> {
                            int now = seen.size();
                            return known.getAndSet(now) == now;
                        });
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
        hands.shutdownNow();
    }

    private void see(Watcher.Action action, FlinkDeployment resource) {
        seen.add(resource);
        gone = action == Watcher.Action.DELETED;
    }

    private void handle(Deployment deployment) {
        String uid = deployment.getMetadata().getUid();
        boolean ending = deployment.getMetadata().getDeletionTimestamp() != null;
        if (handled.add(uid + ending)) {
            hands.execute(() -> handle(deployment, ending));
        }
    }

    private void handle(Deployment deployment, boolean ending) {
        if (ending) {
            client.resource(
                            new DeploymentBuilder(deployment)
                                    .editMetadata()
                                    .withFinalizers(List.of())
                                    .endMetadata()
                                    .build())
                    .update();
            return;
        }
        URI at = RunningOperator.address(namespace, NAME);
        FakeCluster started = jobManagers.start(at);
        started.run(
                deployment.getMetadata().getAnnotations().get(ManifestRenderer.ATTEMPT_ANNOTATION),
                NAME,
                new JobVertex("01", "work", 1, 4, "RUNNING"));
        flink = Optional.of(started);
        new Kubelet(client, namespace).makeAvailable(deployment);
    }

    private static <R> Watcher<R> onlooker(BiConsumer<Watcher.Action, R> seeing) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, R resource) {
                seeing.accept(action, resource);
            }

            @Override
            public void onClose(WatcherException cause) {}
        };
    }
}
