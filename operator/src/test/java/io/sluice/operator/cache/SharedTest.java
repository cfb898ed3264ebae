// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.process.cache.PackedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedTest {
    private static final ResourceID JOB = new ResourceID("job", "shop");
    private static final ResourceID CLUSTER = new ResourceID("cluster", "shop");

    private final PackedStore<FlinkDeployment, ?> store =
            ResourcePacking.store(FlinkDeployment::new);
    private final Shared<FlinkDeployment> shared = new Shared<>(FlinkDeployment.class, store);
    private final List<ResourceID> woken = new ArrayList<>();
    private final EventSource<FlinkDeployment, FlinkSessionJob> clusters =
            shared.source(
                    _ -> Optional.of(CLUSTER),
                    cluster ->
                            ResourceID.fromResource(cluster).equals(CLUSTER)
                                    ? Set.of(JOB)
                                    : Set.of());
    private final ExecutorService framework = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void stop() {
        framework.shutdownNow();
    }

    @Test
    void aClusterWakesTheJobsThatNeedItWheneverItChangesOrGoes() {
        start();

        put(CLUSTER);
        put(new ResourceID("another", "shop"));
        assertThat(woken).containsExactly(JOB);
        store.remove(key(CLUSTER));
        store.remove(key(CLUSTER));

        assertThat(woken).containsExactly(JOB, JOB);
    }

    @Test
    void aJobFindsItsCluster() {
        start();
        assertThat(clusters.getSecondaryResources(new FlinkSessionJob())).isEmpty();

        put(CLUSTER);

        assertThat(clusters.getSecondaryResources(new FlinkSessionJob()))
                .singleElement()
                .satisfies(
                        found -> {
                            assertThat(ResourceID.fromResource(found)).isEqualTo(CLUSTER);
                            assertThat(found.getSpec().path("image").asText()).isEqualTo("flink");
                        });
    }

    @Test
    void nothingStartsThatWouldTakeWhatIsNotListedYetForMissing() {
        CompletableFuture<Void> started = CompletableFuture.runAsync(this::listen, framework);
        await().during(ofMillis(200)).until(() -> !started.isDone());

        shared.listed().start();

        await().atMost(ofSeconds(10)).until(started::isDone);
        assertThat(started).isCompletedWithValue(null);
    }

    @Test
    void whatChangesWhileItStartsIsNotMissed() {
        CompletableFuture<Void> started = CompletableFuture.runAsync(this::listen, framework);
        await().atMost(ofSeconds(10))
                .until(
                        () -> {
                            put(CLUSTER);
                            return !woken.isEmpty();
                        });

        assertThat(started).isNotDone();
    }

    private void start() {
        shared.listed().start();
        listen();
    }

    private void listen() {
        clusters.setEventHandler(this::hear);
        clusters.start();
    }

    private void hear(Event event) {
        woken.add(event.getRelatedCustomResourceID());
    }

    private static String key(ResourceID id) {
        return Cache.namespaceKeyFunc(id.getNamespace().orElse(""), id.getName());
    }

    private void put(ResourceID id) {
        FlinkDeployment cluster = new FlinkDeployment();
        cluster.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(id.getNamespace().orElseThrow())
                        .withName(id.getName())
                        .build());
        cluster.setSpec(JsonNodeFactory.instance.objectNode().put("image", "flink"));
        store.put(key(id), cluster);
    }
}
