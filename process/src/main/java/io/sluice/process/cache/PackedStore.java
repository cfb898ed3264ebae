// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the resources of an informer packed: ten thousand parsed ones would be many times the heap.
 * All of them at once are names only, as the informer asks for them after each list.
 *
 * @param <R> a resource
 * @param <P> what is kept of one
 */
public final class PackedStore<R extends HasMetadata, P> implements ItemStore<R> {
    private final Map<String, P> items = new ConcurrentHashMap<>();
    private final List<Consumer<R>> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<R>> removalListeners = new CopyOnWriteArrayList<>();
    private final Packing<R, P> packing;
    private volatile Optional<FirstList<R>> firstList = Optional.empty();
    private volatile boolean isListed;

    /**
     * How resources of one kind are packed.
     *
     * @param <R> a resource
     * @param <P> what is kept of one
     */
    public interface Packing<R extends HasMetadata, P> {
        /** A new resource of the kind that has nothing in it. */
        R empty();

        /** What is kept of {@code resource}, which must not be changed. */
        P pack(R resource);

        /**
         * A new resource each time.
         *
         * @param key {@code namespace/name}
         */
        R unpack(String key, P packed);

        /** The resource of this key, {@code namespace/name}, is no longer kept. */
        default void removed(String key) {}

        /** Whether an unpacked resource may be taken for the one that was packed. */
        boolean isWhole();
    }

    /**
     * Keeps an informer from handing on each resource of its first list: it would make an object of
     * each, and keep all of them until the last one was looked at.
     *
     * @param <R> a resource
     */
    public interface FirstList<R> {
        /**
         * Whether nobody is to be told of this resource if it is in the first list. Is asked of
         * each resource that is put, then and later.
         */
        boolean isSettled(R resource);

        /**
         * The first list is complete.
         *
         * @param has whether the store has the resource of a key, {@code namespace/name}
         */
        void isComplete(Predicate<String> has);
    }

    public PackedStore(Packing<R, P> packing) {
        this.packing = packing;
    }

    /**
     * A resource that is only a name; {@code key} is {@code namespace/name}. The framework keeps
     * both for as long as there is the resource, and a namespace may have a hundred thousand.
     */
    public static <R extends HasMetadata> R named(String key, R empty) {
        int slash = key.indexOf('/');
        empty.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(key.substring(0, Math.max(0, slash)).intern())
                        .withName(key.substring(slash + 1))
                        .build());
        return empty;
    }

    /** What is kept of the resource of that name. */
    public Optional<P> packed(String namespace, String name) {
        return Optional.ofNullable(items.get(Cache.namespaceKeyFunc(namespace, name)));
    }

    /** The resource of that name. */
    public Optional<R> unpacked(String namespace, String name) {
        String key = Cache.namespaceKeyFunc(namespace, name);
        return Optional.ofNullable(items.get(key)).map(packed -> packing.unpack(key, packed));
    }

    /** From now on {@code heard} is told of what was put or removed, once it is. */
    public void listen(Consumer<R> heard) {
        listeners.add(heard);
    }

    /** From now on {@code heard} is told of what was removed, once it is. */
    public void listenToRemovals(Consumer<R> heard) {
        removalListeners.add(heard);
    }

    /** Is asked of what the informer is to hand on of its first list. */
    public void askOfFirstList(FirstList<R> asked) {
        firstList = Optional.of(asked);
    }

    @Override
    public String getKey(R item) {
        return Cache.metaNamespaceKeyFunc(item);
    }

    @Override
    public @Nullable R put(String key, R item) {
        Optional<P> before = Optional.ofNullable(items.put(key, packing.pack(item)));
        listeners.forEach(heard -> heard.accept(item));
        boolean isSettled = firstList.map(asked -> asked.isSettled(item)).orElse(false);
        // An informer that is told that it had the same before tells nobody of it.
        return isSettled && !isListed && before.isEmpty() ? item : unpackedOrNull(key, before);
    }

    @Override
    public @Nullable R remove(String key) {
        R before = unpackedOrNull(key, Optional.ofNullable(items.remove(key)));
        packing.removed(key);
        if (before != null) {
            listeners.forEach(heard -> heard.accept(before));
            removalListeners.forEach(heard -> heard.accept(before));
        }
        return before;
    }

    @Override
    public Stream<String> keySet() {
        return items.keySet().stream();
    }

    @Override
    public Stream<R> values() {
        if (!isListed && !items.isEmpty()) {
            isListed = true;
            firstList.ifPresent(asked -> asked.isComplete(items::containsKey));
        }
        return items.keySet().stream().map(key -> named(key, packing.empty()));
    }

    @Override
    public int size() {
        return items.size();
    }

    @Override
    public @Nullable R get(String key) {
        return unpackedOrNull(key, Optional.ofNullable(items.get(key)));
    }

    @Override
    public boolean isFullState() {
        return packing.isWhole();
    }

    private @Nullable R unpackedOrNull(String key, Optional<P> packed) {
        return packed.isPresent() ? packing.unpack(key, packed.get()) : null;
    }
}
