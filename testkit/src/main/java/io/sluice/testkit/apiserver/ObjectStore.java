// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All objects in their last version, and the changes that led there, as far as they are remembered.
 * One counter gives versions to the objects of all kinds, as etcd does.
 */
final class ObjectStore {
    private static final int REMEMBERED = 4096;

    /**
     * @param before empty of an object that was created
     * @param after of an object that was deleted, its last state with the version of its deletion
     */
    record Change(Optional<StoredObject> before, StoredObject after, boolean deleted) {
        long version() {
            return after.version();
        }
    }

    private final Map<ResourceType, NavigableMap<String, StoredObject>> objects =
            new LinkedHashMap<>();
    private final Set<ResourceType> unmanaged = new HashSet<>();
    private final Deque<Change> history = new ArrayDeque<>();
    private final Consumer<Change> listener;
    private long version = 1;
    private long forgotten;

    /**
     * @param listener is told of each change
     */
    ObjectStore(Consumer<Change> listener) {
        this.listener = listener;
    }

    /** Of the last change. */
    long version() {
        return version;
    }

    Optional<StoredObject> find(ResourceType type, String key) {
        return Optional.ofNullable(of(type).get(key));
    }

    /**
     * In the order of their keys.
     *
     * @param namespace empty for all
     */
    Collection<StoredObject> list(ResourceType type, Optional<String> namespace) {
        NavigableMap<String, StoredObject> all = of(type);
        return namespace
                .filter(_ -> type.namespaced())
                .map(space -> all.subMap(space + "/", true, space + "0", false).values())
                .orElseGet(all::values);
    }

    /** Of all kinds, the first kind that was written first. */
    List<StoredObject> all() {
        List<StoredObject> all = new ArrayList<>();
        objects.values().forEach(each -> all.addAll(each.values()));
        return all;
    }

    /** Stores {@code tree}, which gets a new resource version and is not to be changed then. */
    StoredObject put(ResourceType type, ObjectNode tree) {
        StoredObject stored = next(type, tree);
        Optional<StoredObject> before = Optional.ofNullable(of(type).put(stored.key(), stored));
        changed(new Change(before, stored, false));
        return stored;
    }

    /**
     * @param last state of the object
     */
    StoredObject remove(ResourceType type, ObjectNode last) {
        StoredObject gone = next(type, last);
        Optional<StoredObject> before = Optional.ofNullable(of(type).remove(gone.key()));
        changed(new Change(before, gone, true));
        return gone;
    }

    /**
     * The changes after {@code since}.
     *
     * @throws ApiRefusal if they are not remembered any more
     */
    List<Change> since(long since) {
        if (since < forgotten) {
            throw ApiRefusal.expired(
                    "too old resource version: %d (%d)".formatted(since, forgotten));
        }
        return history.stream().filter(change -> change.version() > since).toList();
    }

    /** From here on, nobody can go on from a version before this one. */
    void compact() {
        history.clear();
        forgotten = version;
    }

    private StoredObject next(ResourceType type, ObjectNode tree) {
        version++;
        tree.withObject("/metadata").put("resourceVersion", Long.toString(version));
        return of(type, tree, version);
    }

    /** Of a version of an object that need not be stored. */
    StoredObject of(ResourceType type, ObjectNode tree, long ofVersion) {
        return new StoredObject(type, tree, ofVersion, !unmanaged.contains(type));
    }

    /** From now on nobody is shown who manages which field of an object of that kind. */
    void hideManagers(ResourceType type) {
        unmanaged.add(type);
    }

    private void changed(Change change) {
        history.addLast(change);
        if (history.size() > REMEMBERED) {
            forgotten = history.removeFirst().version();
        }
        listener.accept(change);
    }

    private NavigableMap<String, StoredObject> of(ResourceType type) {
        return objects.computeIfAbsent(type, _ -> new TreeMap<>());
    }
}
