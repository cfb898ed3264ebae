// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.sluice.api.Deflated;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds of each resource what rules about other resources read, deflated: of a session cluster its
 * spec but for pod templates and the like, of everything else that it exists, its mode and whether
 * it is a job. Ten thousand whole resources would be many times the heap. The informer that fills
 * it is shown names only: after each list it asks for everything at once.
 */
final class TrimmedStore implements ItemStore<GenericKubernetesResource> {
    private static final List<String> UNREAD_SPEC =
            List.of("podTemplate", "logConfiguration", "ingress");
    private static final List<String> COMPONENTS = List.of("jobManager", "taskManager");

    private final Map<String, byte[]> items = new ConcurrentHashMap<>();

    /** The resource as far as it is held. */
    Optional<ObjectNode> read(String namespace, String name) {
        return Optional.ofNullable(items.get(Cache.namespaceKeyFunc(namespace, name)))
                .map(held -> Deflated.read(held, ObjectNode.class));
    }

    @Override
    public String getKey(GenericKubernetesResource item) {
        return Cache.metaNamespaceKeyFunc(item);
    }

    @Override
    public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource item) {
        return named(key, Optional.ofNullable(items.put(key, Deflated.of(trimmed(item)))));
    }

    @Override
    public @Nullable GenericKubernetesResource remove(String key) {
        return named(key, Optional.ofNullable(items.remove(key)));
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<GenericKubernetesResource> values() {
        return items.keySet().stream().map(TrimmedStore::named);
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable GenericKubernetesResource get(String key) {
        return named(key, Optional.ofNullable(items.get(key)));
    }

    /** What is held is not all, so that nobody takes it for the resource itself. */
    @Override
    public boolean isFullState() {
        return false;
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

    /** That it is a job, and whether it has a Deployment of TaskManagers. */
    private static Map<Object, Object> job(Map<?, ?> spec) {
        Map<Object, Object> read = new LinkedHashMap<>(spec);
        read.keySet().retainAll(List.of("mode"));
        read.put("job", Map.of());
        return read;
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

    private static @Nullable GenericKubernetesResource named(String key, Optional<byte[]> held) {
        return held.isPresent() ? named(key) : null;
    }

    /** A resource that is only a name; {@code key} is {@code namespace/name}. */
    private static GenericKubernetesResource named(String key) {
        int slash = key.indexOf('/');
        var item = new GenericKubernetesResource();
        item.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(key.substring(0, Math.max(0, slash)))
                        .withName(key.substring(slash + 1))
                        .build());
        return item;
    }
}
