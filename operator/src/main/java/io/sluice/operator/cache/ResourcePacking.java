// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.sluice.api.RawResource;
import io.sluice.api.json.Deflated;
import io.sluice.process.cache.PackedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Packs our own resources by deflating them, without {@code managedFields}. Spec and status of an
 * unpacked one are inflated when they are asked for: most looks at a resource need neither.
 *
 * @param make makes a new resource of the kind
 * @param trimming makes of a resource what is kept of it; must not change what it is given
 * @param sizes is told how large each resource is
 */
public record ResourcePacking<R extends RawResource>(
        Supplier<R> make, UnaryOperator<R> trimming, ResourceSizes sizes)
        implements PackedStore.Packing<R, ResourcePacking.Packed> {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Metadata that is longer, as by {@code kubectl apply}, is deflated too. */
    private static final int SHORT = 2048;

    /** Metadata may be deflated, the whole always is. */
    static final class Packed {
        private final byte[] metadata;
        private final boolean isShort;
        private final byte[] whole;

        Packed(ObjectMeta metadata, RawResource whole, IntConsumer length) {
            byte[] plain = json(metadata);
            isShort = plain.length <= SHORT;
            this.metadata = isShort ? plain : Deflated.of(metadata);
            this.whole = Deflated.of(whole, length);
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

    /** A store that keeps all of a resource. */
    public static <R extends RawResource> PackedStore<R, ?> store(Supplier<R> make) {
        return store(make, UnaryOperator.identity());
    }

    /** A store that keeps all of a resource, and tells {@code sizes} how large each is. */
    public static <R extends RawResource> PackedStore<R, ?> store(
            Supplier<R> make, ResourceSizes sizes) {
        return new PackedStore<>(new ResourcePacking<>(make, UnaryOperator.identity(), sizes));
    }

    /** A store that keeps of a resource what {@code trimming} makes of it. */
    public static <R extends RawResource> PackedStore<R, ?> store(
            Supplier<R> make, UnaryOperator<R> trimming) {
        return new PackedStore<>(new ResourcePacking<>(make, trimming, new ResourceSizes()));
    }

    @Override
    public R empty() {
        return make.get();
    }

    @Override
    public Packed pack(R resource) {
        R trimmed = trimming.apply(resource);
        R kept = make.get();
        kept.setSpec(trimmed.getSpec());
        kept.setStatus(trimmed.getStatus());
        return new Packed(
                new ObjectMetaBuilder(trimmed.getMetadata()).withManagedFields().build(),
                kept,
                bytes -> sizes.put(Cache.metaNamespaceKeyFunc(resource), bytes));
    }

    @Override
    public void removed(String key) {
        sizes.remove(key);
    }

    @Override
    public R unpack(String key, Packed packed) {
        R item = make.get();
        item.setMetadata(packed.metadata());
        item.readLater(() -> packed.whole(item.getClass()));
        return item;
    }

    @Override
    public boolean isWhole() {
        return true;
    }
}
