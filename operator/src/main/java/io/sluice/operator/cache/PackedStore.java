// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.sluice.api.Deflated;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps our own resources deflated: ten thousand parsed ones would be many times the heap. Each
 * read gives a new copy, without {@code managedFields}. All of them at once are names only, as the
 * informer asks for them after each list.
 */
public final class PackedStore<R extends CustomResource<ObjectNode, ObjectNode>>
        implements ItemStore<R> {
    private final Map<String, byte[]> items = new ConcurrentHashMap<>();
    private final Supplier<R> empty;
    private final UnaryOperator<R> trimming;

    /** Keeps all of a resource; {@code empty} makes a new one of the kind. */
    public PackedStore(Supplier<R> empty) {
        this(empty, UnaryOperator.identity());
    }

    /**
     * @param trimming makes of a resource what is kept of it; must not change what it is given
     */
    public PackedStore(Supplier<R> empty, UnaryOperator<R> trimming) {
        this.empty = empty;
        this.trimming = trimming;
    }

    @Override
    public String getKey(R item) {
        return Cache.metaNamespaceKeyFunc(item);
    }

    @Override
    public @Nullable R put(String key, R item) {
        return unpacked(items.put(key, packed(trimming.apply(item))));
    }

    @Override
    public @Nullable R remove(String key) {
        return unpacked(items.remove(key));
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<R> values() {
        return items.keySet().stream().map(this::named);
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable R get(String key) {
        return unpacked(items.get(key));
    }

    /** So that events carry whole resources while the first list is still being read. */
    @Override
    public boolean isFullState() {
        return false;
    }

    private R named(String key) {
        int slash = key.indexOf('/');
        R item = empty.get();
        item.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(key.substring(0, Math.max(0, slash)))
                        .withName(key.substring(slash + 1))
                        .build());
        return item;
    }

    private byte[] packed(R item) {
        R kept = empty.get();
        kept.setMetadata(new ObjectMetaBuilder(item.getMetadata()).withManagedFields().build());
        kept.setSpec(item.getSpec());
        kept.setStatus(item.getStatus());
        return Deflated.of(kept);
    }

    private @Nullable R unpacked(byte @Nullable [] bytes) {
        Optional<R> item = Optional.ofNullable(bytes).map(this::inflated);
        return item.isPresent() ? item.get() : null;
    }

    @SuppressWarnings("unchecked")
    private R inflated(byte[] bytes) {
        return (R) Deflated.read(bytes, empty.get().getClass());
    }
}
