// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.StoredResources;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Resources as the operator would leave them, without the half hour it takes one machine to be API
 * server, nodes and operator to so many: copies of one that it did bring up, with its status and
 * its JobManager's Deployment. Done while no operator runs.
 */
record Planting(KubernetesClient client, FlinkDeployment model, Deployment cluster) {
    private static final int HANDS = 8;

    static Planting of(KubernetesClient client, String namespace, String name) {
        return new Planting(
                client,
                client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get(),
                client.apps().deployments().inNamespace(namespace).withName(name).get());
    }

    void plant(int from, int to) throws InterruptedException {
        try (var hands = Executors.newFixedThreadPool(HANDS)) {
            IntStream.range(from, to)
                    .mapToObj(Names::of)
                    .forEach(name -> hands.execute(() -> plant(name)));
            hands.shutdown();
            if (!hands.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IllegalStateException("not all resources could be planted");
            }
        }
    }

    /** The same straight into the API server's store, which is much faster and wakes no node. */
    void plant(int from, int to, StoredResources stored) throws IOException {
        List<String> names = IntStream.range(from, to).mapToObj(Names::of).toList();
        stored.put(
                names.stream()
                        .map(
                                name ->
                                        new DeploymentBuilder(deployment(name))
                                                .withStatus(cluster.getStatus())
                                                .build())
                        .toList());
        stored.put(
                names.stream()
                        .map(
                                name -> {
                                    FlinkDeployment resource = resource(name);
                                    resource.setStatus(status(name));
                                    return resource;
                                })
                        .toList());
    }

    private void plant(String name) {
        FlinkDeployment stored = client.resource(resource(name)).create();
        stored.setStatus(status(name));
        client.resource(stored).updateStatus();
        client.resource(deployment(name)).create();
    }

    /** The model's, with the name where the operator writes it. */
    private ObjectNode status(String name) {
        ObjectNode status = model.getStatus().deepCopy();
        if (status.get("taskManager") instanceof ObjectNode taskManager) {
            String selector = taskManager.path("labelSelector").asText();
            taskManager.put(
                    "labelSelector",
                    selector.replace("app=" + model.getMetadata().getName(), "app=" + name));
        }
        return status;
    }

    private FlinkDeployment resource(String name) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(model.getMetadata().getNamespace())
                        .withName(name)
                        .withLabels(model.getMetadata().getLabels())
                        .withAnnotations(model.getMetadata().getAnnotations())
                        .withFinalizers(model.getMetadata().getFinalizers())
                        .build());
        resource.setSpec(model.getSpec());
        return resource;
    }

    private Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(model.getMetadata().getNamespace())
                .withName(name)
                .withLabels(labels(name))
                .withAnnotations(cluster.getMetadata().getAnnotations())
                .endMetadata()
                .withSpec(cluster.getSpec())
                .build();
    }

    private Map<String, String> labels(String name) {
        Map<String, String> labels = new HashMap<>(cluster.getMetadata().getLabels());
        labels.put("app", name);
        return labels;
    }
}
