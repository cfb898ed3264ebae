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
import java.util.stream.IntStream;

/**
 * Resources as the operator would leave them, without the half hour it takes one machine to be API
 * server, nodes and operator to so many: copies of one that it did bring up, with its status and
 * its JobManager's Deployment. Done while no operator runs.
 */
record Planting(FlinkDeployment model, Deployment cluster) {
    static Planting of(KubernetesClient client, String namespace, String name) {
        return new Planting(
                client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get(),
                client.apps().deployments().inNamespace(namespace).withName(name).get());
    }

    /** Puts them into the API server's store, which is much faster than to ask for each. */
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
