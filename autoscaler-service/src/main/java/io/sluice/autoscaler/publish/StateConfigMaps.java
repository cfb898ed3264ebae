// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.collect.JobKey;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * ConfigMap {@code autoscaler-<name>}: the engine's memory, and the overrides the operator carries
 * out. The operator never writes it.
 */
public final class StateConfigMaps {
    private static final String FIELD_MANAGER = "sluice-autoscaler";

    private final KubernetesClient client;

    public StateConfigMaps(KubernetesClient client) {
        this.client = client;
    }

    /** What is stored for this very resource; empty if nothing is. */
    public Map<String, String> load(JobKey key) {
        return Optional.ofNullable(named(key).get())
                .filter(stored -> belongsTo(stored, key))
                .map(ConfigMap::getData)
                .orElseGet(Map::of);
    }

    /**
     * Stores exactly these entries. Entries another field manager left, such as the Apache
     * operator, are taken over or removed.
     */
    public void save(JobKey key, Map<String, String> data) {
        ConfigMap saved =
                client.resource(render(key, data))
                        .fieldManager(FIELD_MANAGER)
                        .forceConflicts()
                        .serverSideApply();
        Map<String, String> left =
                new TreeMap<>(Optional.ofNullable(saved.getData()).orElseGet(Map::of));
        left.keySet().removeAll(data.keySet());
        if (!left.isEmpty()) {
            named(key).edit(stored -> new ConfigMapBuilder(stored).removeFromData(left).build());
        }
    }

    /** Nothing is remembered and nothing overridden any more. */
    public void wipe(JobKey key) {
        Resource<ConfigMap> named = named(key);
        if (Optional.ofNullable(named.get()).filter(StateConfigMaps::isOurs).isPresent()) {
            named.delete();
        }
    }

    private Resource<ConfigMap> named(JobKey key) {
        return client.configMaps().inNamespace(key.namespace()).withName(name(key));
    }

    private static ConfigMap render(JobKey key, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name(key))
                .withNamespace(key.namespace())
                .addToLabels("component", "autoscaler")
                .addToLabels("app", key.name())
                .addNewOwnerReference()
                .withApiVersion(FlinkDeployment.GROUP + "/" + FlinkDeployment.VERSION)
                .withKind(key.kind().wire())
                .withName(key.name())
                .withUid(key.uid())
                .endOwnerReference()
                .endMetadata()
                .withData(new TreeMap<>(data))
                .build();
    }

    private static boolean belongsTo(ConfigMap stored, JobKey key) {
        return stored.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(key.uid()));
    }

    private static boolean isOurs(ConfigMap stored) {
        return Optional.ofNullable(stored.getMetadata().getLabels())
                .map(labels -> labels.get("component"))
                .filter("autoscaler"::equals)
                .isPresent();
    }

    private static String name(JobKey key) {
        return "autoscaler-" + key.name();
    }
}
