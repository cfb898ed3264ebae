// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The FlinkDeployments, what is known of each, and their users. */
final class Resources implements Watcher<FlinkDeployment>, AutoCloseable {
    private static final int USERS = 8;
    private static final PatchContext MERGE =
            new PatchContext.Builder().withPatchType(PatchType.JSON_MERGE).build();

    private final KubernetesClient client;
    private final String namespace;
    private final FlinkDeployment template;
    private final Map<String, Long> stableGeneration = new ConcurrentHashMap<>();
    private final Map<String, Long> observed = new ConcurrentHashMap<>();
    private final Watch watch;

    Resources(KubernetesClient client, String namespace, Kind kind) throws IOException {
        this.client = client;
        this.namespace = namespace;
        try (var yaml =
                Objects.requireNonNull(
                        Resources.class.getResourceAsStream(kind.file()), kind.file())) {
            template = new YAMLMapper().readValue(yaml, FlinkDeployment.class);
        }
        watch = client.resources(FlinkDeployment.class).inNamespace(namespace).watch(this);
    }

    /** Of the resources from {@code from} on, by eight users at once. */
    void create(int from, int to) throws InterruptedException {
        try (var users = Executors.newFixedThreadPool(USERS)) {
            for (int i = from; i < to; i++) {
                String name = Names.of(i);
                users.execute(() -> create(name));
            }
            users.shutdown();
            if (!users.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IllegalStateException("not all resources could be created");
            }
        }
    }

    /** The client asks again where an answer is late, and may then find what it has made itself. */
    void create(String name) {
        try {
            client.resource(named(name)).create();
        } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw failed;
            }
        }
    }

    /** One with these labels. */
    void create(String name, Map<String, String> labels) {
        FlinkDeployment resource = named(name);
        resource.getMetadata().setLabels(labels);
        client.resource(resource).create();
    }

    /** A user changes the image of one. */
    void edit(String name, String image) {
        patch(name, "{\"spec\":{\"image\":\"" + image + "\"}}");
    }

    /** A user sets an option of Flink. */
    void configure(String name, String key, String value) {
        patch(name, "{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"}}}".formatted(key, value));
    }

    void delete(String name) {
        client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).delete();
    }

    int stable() {
        return stableGeneration.size();
    }

    /** Whether generation {@code wanted} of it is stable. */
    boolean isStable(String name, long wanted) {
        return stableGeneration.getOrDefault(name, 0L) >= wanted;
    }

    /** When (by {@link System#nanoTime}) a status about generation 2 was first seen. */
    Optional<Long> answered(String name) {
        return Optional.ofNullable(observed.get(name));
    }

    @Override
    public void eventReceived(Action action, FlinkDeployment found) {
        if (action == Action.DELETED) {
            stableGeneration.remove(found.getMetadata().getName());
            observed.remove(found.getMetadata().getName());
            return;
        }
        ObjectNode status = found.getStatus();
        if (status == null) {
            return;
        }
        long generation = status.path("observedGeneration").asLong();
        String name = found.getMetadata().getName();
        if (generation >= 2) {
            observed.putIfAbsent(name, System.nanoTime());
        }
        if (status.path("lifecycleState").asText().equals("STABLE")) {
            stableGeneration.put(name, generation);
        }
    }

    @Override
    public void onClose(WatcherException cause) {
        throw new IllegalStateException("the watch of FlinkDeployments ended", cause);
    }

    @Override
    public void close() {
        watch.close();
    }

    private void patch(String name, String patch) {
        client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(name)
                .patch(MERGE, patch);
    }

    private FlinkDeployment named(String name) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder(template.getMetadata())
                        .withName(name)
                        .withNamespace(namespace)
                        .build());
        resource.setSpec(template.getSpec());
        return resource;
    }
}
