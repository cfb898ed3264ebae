// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Deployment of a standalone cluster's TaskManagers. It belongs to the JobManager's, and so
 * goes with it; nothing but its size is ever changed.
 */
final class TaskManagers {
    private TaskManagers() {}

    /**
     * Sees to it that they are there, in the number that {@code manifests} say; nothing if the
     * cluster is not standalone.
     */
    static void provide(
            KubernetesClient client, List<HasMetadata> manifests, OwnerReference jobManager) {
        manifests.stream()
                .skip(1)
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .forEach(wanted -> provide(client, wanted, jobManager));
    }

    private static void provide(
            KubernetesClient client, Deployment wanted, OwnerReference jobManager) {
        wanted.getMetadata().setOwnerReferences(List.of(jobManager));
        try {
            client.resource(wanted).create();
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw fault;
            }
            scale(client, wanted);
        }
    }

    /**
     * Those of a cluster that another operator made belong to the resource, and would outlive their
     * JobManager.
     *
     * @param jobManager the uid of the JobManager's Deployment, which is about to be deleted
     */
    static void removeStrays(
            KubernetesClient client, String namespace, String name, String jobManager) {
        Optional.ofNullable(
                        client.apps()
                                .deployments()
                                .inNamespace(namespace)
                                .withName(Children.taskManagersOf(name))
                                .get())
                .filter(found -> isOfStandalone(found, name))
                .filter(
                        found ->
                                found.getMetadata().getOwnerReferences().stream()
                                        .noneMatch(owner -> owner.getUid().equals(jobManager)))
                .ifPresent(found -> client.resource(found).delete());
    }

    private static boolean isOfStandalone(Deployment found, String name) {
        Map<String, String> labels =
                Optional.ofNullable(found.getMetadata().getLabels()).orElseGet(Map::of);
        return name.equals(labels.get("app"))
                && "flink-standalone-kubernetes".equals(labels.get("type"));
    }

    private static void scale(KubernetesClient client, Deployment wanted) {
        var metadata = wanted.getMetadata();
        Scale scale =
                new ScaleBuilder()
                        .withNewMetadata()
                        .withName(metadata.getName())
                        .withNamespace(metadata.getNamespace())
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(wanted.getSpec().getReplicas())
                        .endSpec()
                        .build();
        client.raw(
                "/apis/apps/v1/namespaces/%s/deployments/%s/scale"
                        .formatted(metadata.getNamespace(), metadata.getName()),
                "PUT",
                scale);
    }
}
