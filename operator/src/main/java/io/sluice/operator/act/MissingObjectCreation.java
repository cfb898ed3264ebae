// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.child.ChildObjects;
import io.sluice.rules.config.Options;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the Services and the configuration anew of a cluster that stands, if somebody has deleted
 * them. What is there stays as it is.
 */
record MissingObjectCreation(KubernetesClient client, ChildObjects children) {
    private static final Logger LOG = LoggerFactory.getLogger(MissingObjectCreation.class);

    /**
     * Asks for the Services by name, and renders the cluster only if one is missing. Flink needs
     * the one of the cluster's name only where it is not highly available.
     *
     * @throws KubernetesClientException if the API server can't be asked, or refuses one
     */
    void provideServices(ClusterPlan plan) {
        boolean areThere =
                stands(plan, plan.name() + "-rest")
                        && (new Options(plan.effective()).isHighlyAvailable()
                                || stands(plan, plan.name()));
        if (!areThere) {
            create(plan, Service.class::isInstance);
        }
    }

    /**
     * Tells whether the ConfigMap that the containers mount is missing.
     *
     * @throws KubernetesClientException if the API server can't be asked
     */
    boolean lacksConfiguration(ClusterPlan plan) {
        return client.configMaps()
                        .inNamespace(plan.namespace())
                        .withName(ManifestRenderer.configMap(plan.name()))
                        .get()
                == null;
    }

    /**
     * Creates the ConfigMap that the containers mount.
     *
     * @throws KubernetesClientException if the API server refuses it
     */
    void createConfiguration(ClusterPlan plan) {
        create(
                plan,
                it ->
                        it instanceof ConfigMap map
                                && map.getMetadata()
                                        .getName()
                                        .equals(ManifestRenderer.configMap(plan.name())));
    }

    private void create(ClusterPlan plan, Predicate<HasMetadata> which) {
        List<HasMetadata> manifests = ManifestRenderer.render(plan);
        List<OwnerReference> owners = manifests.getFirst().getMetadata().getOwnerReferences();
        manifests.stream().filter(which).forEach(wanted -> create(wanted, owners));
    }

    private void create(HasMetadata wanted, List<OwnerReference> owners) {
        wanted.getMetadata().setOwnerReferences(owners);
        if (children.createIfMissing(wanted)) {
            LOG.atInfo()
                    .addKeyValue("kind", wanted.getKind())
                    .addKeyValue("name", wanted.getMetadata().getName())
                    .log("was missing, and is there again");
        }
    }

    private boolean stands(ClusterPlan plan, String name) {
        return client.services().inNamespace(plan.namespace()).withName(name).get() != null;
    }
}
