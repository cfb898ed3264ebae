// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.cache;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.sluice.api.json.Deflated;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.process.cache.PackedStore;
import io.sluice.rules.scale.ScaleReview;
import io.sluice.rules.snapshot.SnapshotJob;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Holds of each resource what rules about other resources read, deflated: of a session cluster its
 * spec but for pod templates and the like, of everything else that it exists, its mode, whether it
 * is a job and is to run, its session cluster, and what {@link ScaleReview} and {@link SnapshotJob}
 * read of its configuration. The informer that fills it is shown names only.
 */
final class TrimmedStore {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> UNREAD_SPEC =
            List.of("podTemplate", "logConfiguration", "ingress");
    private static final List<String> COMPONENTS = List.of("jobManager", "taskManager");

    private final PackedStore<GenericKubernetesResource, byte[]> items =
            new PackedStore<>(new Trimming());

    /** What is held is not all, so that nobody takes it for the resource itself. */
    private static final class Trimming
            implements PackedStore.Packing<GenericKubernetesResource, byte[]> {
        @Override
        public GenericKubernetesResource empty() {
            return new GenericKubernetesResource();
        }

        @Override
        public byte[] pack(GenericKubernetesResource resource) {
            return Deflated.of(trimmed(resource));
        }

        @Override
        public GenericKubernetesResource unpack(String key, byte[] packed) {
            return PackedStore.named(key, empty());
        }

        @Override
        public boolean isWhole() {
            return false;
        }
    }

    /** The store of the informer that fills it. */
    ItemStore<GenericKubernetesResource> items() {
        return items;
    }

    /** The resource as far as it is held. */
    Optional<ObjectNode> read(String namespace, String name) {
        return items.packed(namespace, name).map(held -> Deflated.read(held, ObjectNode.class));
    }

    int size() {
        return items.size();
    }

    static GenericKubernetesResource trimmed(GenericKubernetesResource item) {
        var kept = new GenericKubernetesResource();
        kept.setApiVersion(item.getApiVersion());
        kept.setKind(item.getKind());
        kept.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(item.getMetadata().getNamespace())
                        .withName(item.getMetadata().getName())
                        .build());
        if (item.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec) {
            kept.setAdditionalProperty("spec", spec.get("job") == null ? cluster(spec) : job(spec));
        }
        return kept;
    }

    /**
     * That it is a job and whether it is to run, whether it has a Deployment of TaskManagers,
     * whether it is autoscaled, and where its savepoints go.
     */
    private static Map<Object, Object> job(Map<?, ?> spec) {
        Map<Object, Object> read = new LinkedHashMap<>(spec);
        read.keySet().retainAll(List.of("mode", "flinkVersion", "deploymentName"));
        read.put("job", desiredState(spec));
        Map<String, String> options = new TreeMap<>(configuration(spec).entries());
        options.keySet().removeIf(key -> !ScaleReview.isRead(key) && !SnapshotJob.isRead(key));
        if (!options.isEmpty()) {
            read.put("flinkConfiguration", options);
        }
        return read;
    }

    private static Map<?, ?> desiredState(Map<?, ?> spec) {
        return spec.get("job") instanceof Map<?, ?> job && job.get("state") instanceof String state
                ? Map.of("state", state)
                : Map.of();
    }

    private static FlinkConfiguration configuration(Map<?, ?> spec) {
        return Optional.<Object>ofNullable(spec.get("flinkConfiguration"))
                .map(found -> FlinkConfiguration.of(JSON.valueToTree(found)))
                .orElse(FlinkConfiguration.EMPTY);
    }

    private static Map<Object, Object> cluster(Map<?, ?> spec) {
        Map<Object, Object> read = without(spec, UNREAD_SPEC);
        COMPONENTS.forEach(
                component ->
                        read.computeIfPresent(
                                component,
                                (_, found) ->
                                        found instanceof Map<?, ?> fields
                                                ? without(fields, UNREAD_SPEC)
                                                : found));
        return read;
    }

    private static Map<Object, Object> without(Map<?, ?> fields, List<String> unread) {
        Map<Object, Object> read = new LinkedHashMap<>(fields);
        read.keySet().removeAll(unread);
        return read;
    }
}
