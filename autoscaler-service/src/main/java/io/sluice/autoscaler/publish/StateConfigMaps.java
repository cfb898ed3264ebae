// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.sluice.api.spec.ApiVersion;
import io.sluice.autoscaler.collect.JobKey;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * ConfigMap {@code autoscaler-<name>}: the engine's memory, and the overrides the operator carries
 * out. The operator never writes it. A write says what it follows on, so that of two replicas that
 * both take a job for theirs only one publishes.
 */
public final class StateConfigMaps implements JobStates {
    private static final String FIELD_MANAGER = "sluice-autoscaler";

    private final KubernetesClient client;

    public StateConfigMaps(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Loaded load(JobKey key) {
        return Optional.ofNullable(named(key).get())
                .map(
                        found ->
                                Loaded.of(
                                        belongsTo(found, key) ? data(found) : Map.of(),
                                        Optional.of(found.getMetadata().getResourceVersion())))
                .orElse(Loaded.NOTHING);
    }

    /**
     * Stores exactly {@code data}, if nobody stored anything since {@code before} was read. Entries
     * another field manager left, such as the Apache operator, are taken over or removed.
     *
     * @throws StoredMeanwhile if somebody did: another replica owns the job now, or did until
     *     lately; nothing was stored
     */
    @Override
    public Stored save(JobKey key, Map<String, String> data, Stored before) {
        try {
            ConfigMap saved = write(render(key, data, before), before);
            Map<String, String> left = new TreeMap<>(data(saved));
            left.keySet().removeAll(data.keySet());
            if (!left.isEmpty()) {
                saved =
                        client.resource(new ConfigMapBuilder(saved).removeFromData(left).build())
                                .update();
            }
            return Stored.of(data, Optional.of(saved.getMetadata().getResourceVersion()));
        } catch (KubernetesClientException refused) {
            throw storedMeanwhile(key, refused);
        }
    }

    /** A first one is created, which fails if there is one: an apply would not. */
    private ConfigMap write(ConfigMap wanted, Stored before) {
        var resource = client.resource(wanted);
        return before.version().isEmpty()
                ? resource.create()
                : resource.fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
    }

    /** Goes with its resource, or on with its next owner. */
    @Override
    public void leave(JobKey key) {}

    /** A resource of another kind may have the same name, and another job behind it. */
    @Override
    public void wipe(JobKey key, Predicate<String> kept) {
        Resource<ConfigMap> named = named(key);
        Optional.ofNullable(named.get())
                .filter(stored -> isOurs(stored) && belongsTo(stored, key))
                .ifPresent(
                        stored -> {
                            Map<String, String> left = new TreeMap<>(data(stored));
                            left.keySet().removeIf(kept.negate());
                            if (left.isEmpty()) {
                                named.delete();
                            } else if (!left.equals(data(stored))) {
                                replace(key, new ConfigMapBuilder(stored).withData(left).build());
                            }
                        });
    }

    private void replace(JobKey key, ConfigMap wanted) {
        try {
            client.resource(wanted).update();
        } catch (KubernetesClientException refused) {
            throw storedMeanwhile(key, refused);
        }
    }

    /** What a refused write means. */
    private static RuntimeException storedMeanwhile(JobKey key, KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                ? new StoredMeanwhile(key, refused)
                : refused;
    }

    private Resource<ConfigMap> named(JobKey key) {
        return client.configMaps().inNamespace(key.namespace()).withName(name(key));
    }

    private static ConfigMap render(JobKey key, Map<String, String> data, Stored before) {
        ConfigMapBuilder wanted = new ConfigMapBuilder();
        before.version()
                .ifPresent(
                        version ->
                                wanted.editOrNewMetadata()
                                        .withResourceVersion(version)
                                        .endMetadata());
        return wanted.editOrNewMetadata()
                .withName(name(key))
                .withNamespace(key.namespace())
                .addToLabels("component", "autoscaler")
                .addToLabels("app", key.name())
                .addNewOwnerReference()
                .withApiVersion(ApiVersion.TEXT)
                .withKind(key.kind().wire())
                .withName(key.name())
                .withUid(key.uid())
                .endOwnerReference()
                .endMetadata()
                .withData(new TreeMap<>(data))
                .build();
    }

    private static Map<String, String> data(ConfigMap stored) {
        return Optional.ofNullable(stored.getData()).orElseGet(Map::of);
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
