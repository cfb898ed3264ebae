// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.child.DeleteByUid;
import io.sluice.operator.child.NameTakenException;
import io.sluice.operator.observe.ChildResources;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Deployment of a standalone cluster's TaskManagers. It belongs to the JobManager's, and so
 * goes with it; nothing but its size is ever changed.
 */
final class StandaloneTaskManagers {
    private StandaloneTaskManagers() {}

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

    /**
     * @throws NameTakenException if a Deployment of the name is somebody else's
     */
    private static void provide(
            KubernetesClient client, Deployment wanted, OwnerReference jobManager) {
        List<OwnerReference> owners =
                Stream.concat(
                                wanted.getMetadata().getOwnerReferences().stream(),
                                Stream.of(jobManager))
                        .toList();
        wanted.getMetadata().setOwnerReferences(List.of(jobManager));
        try {
            client.resource(wanted).create();
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw fault;
            }
            existing(client, wanted, owners).ifPresent(found -> scale(client, found, wanted));
        }
    }

    /**
     * What has the name already; empty if it is on its way out, and made again once it is gone.
     *
     * @param owners of either of which they may be: those that another operator made are the
     *     resource's, and those of Sluice without any were cut off by somebody
     */
    private static Optional<Deployment> existing(
            KubernetesClient client, Deployment wanted, List<OwnerReference> owners) {
        Optional<Deployment> found =
                Optional.ofNullable(client.resource(wanted).get())
                        .filter(it -> it.getMetadata().getDeletionTimestamp() == null);
        boolean foreign =
                found.filter(it -> !isOfSame(it, wanted) || !isOfOne(it, owners)).isPresent();
        if (foreign) {
            throw NameTakenException.taskManagers(wanted.getMetadata().getName());
        }
        return found;
    }

    private static boolean isOfOne(Deployment found, List<OwnerReference> owners) {
        List<OwnerReference> its = found.getMetadata().getOwnerReferences();
        return (its.isEmpty() && isMadeBySluice(found))
                || its.stream()
                        .anyMatch(
                                it ->
                                        owners.stream()
                                                .anyMatch(of -> of.getUid().equals(it.getUid())));
    }

    private static boolean isMadeBySluice(Deployment found) {
        return Optional.ofNullable(found.getMetadata().getAnnotations())
                .filter(all -> all.containsKey(ManifestRenderer.ATTEMPT_ANNOTATION))
                .isPresent();
    }

    /**
     * Before a JobManager is made that would be alone.
     *
     * @throws NameTakenException if a Deployment of the TaskManagers' name is somebody else's
     */
    static void requireTheirName(KubernetesClient client, List<HasMetadata> manifests) {
        manifests.stream()
                .skip(1)
                .filter(Deployment.class::isInstance)
                .map(Deployment.class::cast)
                .filter(
                        wanted ->
                                Optional.ofNullable(client.resource(wanted).get())
                                        .filter(found -> !isOfSame(found, wanted))
                                        .isPresent())
                .forEach(
                        wanted -> {
                            throw NameTakenException.taskManagers(wanted.getMetadata().getName());
                        });
    }

    /** Those that no JobManager's Deployment will take along, as none is there. */
    static Optional<Deployment> stray(KubernetesClient client, String namespace, String name) {
        return deployment(client, namespace, ChildResources.taskManagersOf(name))
                .filter(found -> isOfStandalone(found, name))
                .filter(_ -> deployment(client, namespace, name).isEmpty());
    }

    private static Optional<Deployment> deployment(
            KubernetesClient client, String namespace, String name) {
        return Optional.ofNullable(
                client.apps().deployments().inNamespace(namespace).withName(name).get());
    }

    /**
     * Those of a cluster that another operator made belong to the resource, and would outlive their
     * JobManager.
     *
     * @param jobManager the uid of the JobManager's Deployment, which is about to be deleted
     */
    static void removeStrays(
            KubernetesClient client, String namespace, String name, String jobManager) {
        deployment(client, namespace, ChildResources.taskManagersOf(name))
                .filter(found -> isOfStandalone(found, name))
                .filter(
                        found ->
                                found.getMetadata().getOwnerReferences().stream()
                                        .noneMatch(owner -> owner.getUid().equals(jobManager)))
                .ifPresent(new DeleteByUid(client)::delete);
    }

    private static boolean isOfSame(Deployment found, Deployment wanted) {
        return isOfStandalone(found, labels(wanted).getOrDefault("app", ""));
    }

    private static boolean isOfStandalone(Deployment found, String name) {
        return name.equals(labels(found).get("app")) && ChildResources.areStandalone(found);
    }

    private static Map<String, String> labels(Deployment found) {
        return Optional.ofNullable(found.getMetadata().getLabels()).orElseGet(Map::of);
    }

    /**
     * @throws KubernetesClientException if another Deployment has the name by now (409)
     */
    private static void scale(KubernetesClient client, Deployment found, Deployment wanted) {
        var metadata = found.getMetadata();
        Scale scale =
                new ScaleBuilder()
                        .withNewMetadata()
                        .withName(metadata.getName())
                        .withNamespace(metadata.getNamespace())
                        .withUid(metadata.getUid())
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
