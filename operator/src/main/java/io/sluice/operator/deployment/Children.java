// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What caches hold of a resource's children.
 *
 * @param sessionJobs those that name the resource as their cluster
 */
public record Children(
        Optional<Deployment> jobManager,
        List<Pod> pods,
        Optional<ConfigMap> overrides,
        List<FlinkSessionJob> sessionJobs) {
    public Children {
        pods = List.copyOf(pods);
        sessionJobs = List.copyOf(sessionJobs);
    }

    /** Without session jobs. */
    public Children(
            Optional<Deployment> jobManager, List<Pod> pods, Optional<ConfigMap> overrides) {
        this(jobManager, pods, overrides, List.of());
    }

    /**
     * The Deployment and the pods as the API server has them now; overrides are left to the cache.
     */
    public static Children live(KubernetesClient client, FlinkDeployment resource) {
        String namespace = resource.getMetadata().getNamespace();
        String name = resource.getMetadata().getName();
        return new Children(
                Optional.ofNullable(
                        client.apps().deployments().inNamespace(namespace).withName(name).get()),
                client.pods()
                        .inNamespace(namespace)
                        .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                        .list()
                        .getItems(),
                Optional.empty());
    }

    /**
     * Flink's high-availability ConfigMaps of a cluster, which outlive its Deployment, as of now.
     */
    static List<ConfigMap> recovery(KubernetesClient client, String namespace, String name) {
        return client
                .configMaps()
                .inNamespace(namespace)
                .withLabels(Map.of("app", name, "type", "flink-native-kubernetes"))
                .list()
                .getItems()
                .stream()
                .filter(map -> map.getMetadata().getName().startsWith(name + "-"))
                .filter(map -> map.getMetadata().getName().endsWith("-config-map"))
                .toList();
    }

    /** Ids of the jobs for which they name a checkpoint. */
    public static Set<String> recoverable(KubernetesClient client, FlinkDeployment resource) {
        String name = resource.getMetadata().getName();
        return StateReading.recoverable(
                name, recovery(client, resource.getMetadata().getNamespace(), name));
    }
}
