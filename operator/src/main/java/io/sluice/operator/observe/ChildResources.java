// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.manifest.ImagePullPod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What caches hold of a resource's children.
 *
 * @param sessionJobs those that name the resource as their cluster
 * @param ingress the Ingress, or HTTPRoute, called as the resource, whoever made it
 * @param pullPods those that pull images for it
 * @param certain whether no cluster can have been made for the resource that they do not tell of
 */
public record ChildResources(
        Optional<Deployment> jobManager,
        Optional<Deployment> taskManagers,
        List<Pod> pods,
        Optional<ConfigMap> overrides,
        List<FlinkSessionJob> sessionJobs,
        Optional<HasMetadata> ingress,
        List<Pod> pullPods,
        boolean certain) {
    private static final String[] TYPES = {
        "flink-native-kubernetes", "flink-standalone-kubernetes"
    };

    /** Selects what belongs to a cluster of either mode. */
    public static final String SELECTOR = "type in (" + String.join(",", TYPES) + ")";

    /** Selects the pods of clusters, and those that pull images. */
    public static final String POD_SELECTOR =
            "type in (" + String.join(",", TYPES) + "," + ImagePullPod.TYPE + ")";

    public ChildResources {
        pods = List.copyOf(pods);
        pullPods = List.copyOf(pullPods);
        sessionJobs = List.copyOf(sessionJobs);
    }

    /** Of a resource that may have been reconciled before, without pods that pull images. */
    public ChildResources(
            Optional<Deployment> jobManager,
            Optional<Deployment> taskManagers,
            List<Pod> pods,
            Optional<ConfigMap> overrides,
            List<FlinkSessionJob> sessionJobs,
            Optional<HasMetadata> ingress) {
        this(jobManager, taskManagers, pods, overrides, sessionJobs, ingress, List.of(), false);
    }

    /** Without an Ingress. */
    public ChildResources(
            Optional<Deployment> jobManager,
            Optional<Deployment> taskManagers,
            List<Pod> pods,
            Optional<ConfigMap> overrides,
            List<FlinkSessionJob> sessionJobs) {
        this(jobManager, taskManagers, pods, overrides, sessionJobs, Optional.empty());
    }

    /** Of a native cluster without session jobs. */
    public ChildResources(
            Optional<Deployment> jobManager, List<Pod> pods, Optional<ConfigMap> overrides) {
        this(jobManager, Optional.empty(), pods, overrides, List.of());
    }

    /** Whether it is labelled as a part of a cluster of either mode. */
    public static boolean isFlinks(Deployment found) {
        return Optional.ofNullable(found.getMetadata().getLabels())
                .map(labels -> labels.get("type"))
                .filter(type -> List.of(TYPES).contains(type))
                .isPresent();
    }

    /** The name of the Deployment of a standalone cluster's TaskManagers. */
    public static String taskManagersOf(String name) {
        return name + "-taskmanager";
    }

    /**
     * How many TaskManagers a standalone cluster is to have now; empty if there is no Deployment.
     */
    Optional<Integer> standingTaskManagers() {
        return taskManagers
                .filter(found -> found.getMetadata().getDeletionTimestamp() == null)
                .map(found -> Optional.ofNullable(found.getSpec().getReplicas()).orElse(1));
    }

    /** Those of a standalone cluster whose JobManager's Deployment is not there, not even going. */
    Optional<Deployment> strayTaskManagers() {
        return taskManagers.filter(_ -> jobManager.isEmpty()).filter(ChildResources::areStandalone);
    }

    /**
     * The Deployments and the pods as the API server has them now; overrides are left to the cache.
     * Of a resource that was never reconciled, pods too: a Deployment alone tells of a former
     * cluster.
     */
    public static ChildResources live(KubernetesClient client, FlinkDeployment resource) {
        String namespace = resource.getMetadata().getNamespace();
        String name = resource.getMetadata().getName();
        List<Deployment> deployments =
                client.apps()
                        .deployments()
                        .inNamespace(namespace)
                        .withLabel("app", name)
                        .withLabelIn("type", TYPES)
                        .list()
                        .getItems();
        return new ChildResources(
                named(deployments, name),
                named(deployments, taskManagersOf(name)),
                isNew(resource)
                        ? List.of()
                        : client.pods()
                                .inNamespace(namespace)
                                .withLabel("app", name)
                                .withLabelIn("type", TYPES)
                                .list()
                                .getItems(),
                Optional.empty(),
                List.of());
    }

    /** By a list, which the operator may ask for of every namespace that it watches. */
    static boolean isBetweenHalves(KubernetesClient client, String namespace, PairHalf half) {
        return client
                .resources(FlinkBlueGreenDeployment.class)
                .inNamespace(namespace)
                .withField("metadata.name", half.pair())
                .list()
                .getItems()
                .stream()
                .filter(pair -> pair.getMetadata().getUid().equals(half.uid()))
                .flatMap(pair -> Optional.ofNullable(pair.getStatus()).stream())
                .map(FlinkBlueGreenDeploymentStatus::of)
                .anyMatch(FlinkBlueGreenDeploymentStatus::isBetweenHalves);
    }

    /** The session jobs of the cluster, as the API server has them now. */
    public static List<FlinkSessionJob> sessionJobs(
            KubernetesClient client, FlinkDeployment cluster) {
        return client
                .resources(FlinkSessionJob.class)
                .inNamespace(cluster.getMetadata().getNamespace())
                .list()
                .getItems()
                .stream()
                .filter(job -> SessionClusterLinks.isOn(cluster.getMetadata().getName(), job))
                .toList();
    }

    /** Whether no reconciliation has ever stored anything about it. */
    public static boolean isNew(FlinkDeployment resource) {
        return resource.getStatus() == null || resource.getStatus().isEmpty();
    }

    private static Optional<Deployment> named(List<Deployment> deployments, String name) {
        return deployments.stream()
                .filter(found -> found.getMetadata().getName().equals(name))
                .findFirst();
    }

    /**
     * Flink's high-availability ConfigMaps of a cluster, which outlive its Deployment, as of now.
     */
    public static List<ConfigMap> recovery(KubernetesClient client, String namespace, String name) {
        return client
                .configMaps()
                .inNamespace(namespace)
                .withLabel("app", name)
                .withLabel("type", "flink-native-kubernetes")
                .list()
                .getItems()
                .stream()
                .filter(map -> map.getMetadata().getName().startsWith(name + "-"))
                .filter(map -> map.getMetadata().getName().endsWith("-config-map"))
                .toList();
    }

    /** What is told of a pod, by whomever, as of now. */
    public static List<Event> events(KubernetesClient client, Pod pod) {
        return client.v1()
                .events()
                .inNamespace(pod.getMetadata().getNamespace())
                .withField("involvedObject.uid", pod.getMetadata().getUid())
                .list()
                .getItems();
    }

    /** Ids of the jobs for which they name a checkpoint. */
    public static Set<String> recoverable(KubernetesClient client, FlinkDeployment resource) {
        String name = resource.getMetadata().getName();
        return StateReader.recoverable(
                name, recovery(client, resource.getMetadata().getNamespace(), name));
    }

    /** Whether they are labelled as a standalone cluster's. */
    public static boolean areStandalone(Deployment taskManagers) {
        return Optional.ofNullable(taskManagers.getMetadata().getLabels())
                .map(labels -> labels.get("type"))
                .filter("flink-standalone-kubernetes"::equals)
                .isPresent();
    }
}
