// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.Deflated;
import io.sluice.api.RawResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps our own resources deflated: ten thousand parsed ones would be many times the heap. Each
 * read gives a new copy, without {@code managedFields}, whose spec and status are inflated when
 * they are asked for: most looks at a resource need neither. All of them at once are names only, as
 * the informer asks for them after each list.
 */
public final class PackedStore<R extends RawResource> implements ItemStore<R> {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Metadata that is longer, as by {@code kubectl apply}, is deflated too. */
    private static final int SHORT = 2048;

    /** Metadata may be deflated, the whole always is. */
    private static final class Packed {
        private final byte[] metadata;
        private final boolean isShort;
        private final byte[] whole;

        Packed(ObjectMeta metadata, RawResource whole) {
            byte[] plain = json(metadata);
            isShort = plain.length <= SHORT;
            this.metadata = isShort ? plain : Deflated.of(metadata);
            this.whole = Deflated.of(whole);
        }

        ObjectMeta metadata() {
            return isShort ? read(metadata) : Deflated.read(metadata, ObjectMeta.class);
        }

        <R extends RawResource> R whole(Class<R> type) {
            return Deflated.read(whole, type);
        }

        private static byte[] json(ObjectMeta metadata) {
            try {
                return JSON.writeValueAsBytes(metadata);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        private static ObjectMeta read(byte[] plain) {
            try {
                return JSON.readValue(plain, ObjectMeta.class);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    private final Map<String, Packed> items = new ConcurrentHashMap<>();
    private final List<Consumer<R>> listeners = new CopyOnWriteArrayList<>();
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

    /** From now on {@code heard} is told of what was put or removed, once it is. */
    void listen(Consumer<R> heard) {
        listeners.add(heard);
    }

    /** As {@link #getKey} gives it. */
    String key(ResourceID id) {
        return Cache.namespaceKeyFunc(id.getNamespace().orElse(""), id.getName());
    }

    @Override
    public @Nullable R put(String key, R item) {
        R before = unpacked(items.put(key, packed(trimming.apply(item))));
        listeners.forEach(heard -> heard.accept(item));
        return before;
    }

    @Override
    public @Nullable R remove(String key) {
        R before = unpacked(items.remove(key));
        if (before != null) {
            listeners.forEach(heard -> heard.accept(before));
        }
        return before;
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

    private Packed packed(R item) {
        ObjectMeta metadata = new ObjectMetaBuilder(item.getMetadata()).withManagedFields().build();
        R kept = empty.get();
        kept.setSpec(item.getSpec());
        kept.setStatus(item.getStatus());
        return new Packed(metadata, kept);
    }

    private @Nullable R unpacked(@Nullable Packed packed) {
        Optional<R> item = Optional.ofNullable(packed).map(this::withMetadata);
        return item.isPresent() ? item.get() : null;
    }

    private R withMetadata(Packed packed) {
        R item = empty.get();
        item.setMetadata(packed.metadata());
        item.readLater(() -> packed.whole(item.getClass()));
        return item;
    }
}
