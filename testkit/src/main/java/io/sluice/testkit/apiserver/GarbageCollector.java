// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Kubernetes' garbage collector, which does one thing at a time, in an order of its own.
 *
 * <p>It deletes an object whose owners are gone, takes references to such owners away from an
 * object that has another owner, lets an owner go that was deleted in the foreground once nothing
 * that blocks it is left, and cuts an owner's objects off that was deleted as an orphan.
 */
final class GarbageCollector {
    /** The objects, and who owns whom. */
    private record Graph(List<StoredObject> objects, Map<String, StoredObject> byUid) {
        static Graph of(List<StoredObject> objects) {
            Map<String, StoredObject> byUid = new HashMap<>();
            objects.forEach(object -> byUid.put(object.uid(), object));
            return new Graph(objects, byUid);
        }

        /** A reference is good only to an object of the same namespace, or of none. */
        Optional<StoredObject> owner(StoredObject owned, JsonNode reference) {
            return Optional.ofNullable(byUid.get(reference.path("uid").asText()))
                    .filter(owner -> owner.name().equals(reference.path("name").asText()))
                    .filter(owner -> owner.type().kind().equals(reference.path("kind").asText()))
                    .filter(
                            owner ->
                                    owner.namespace().isEmpty()
                                            || owner.namespace().equals(owned.namespace()));
        }

        List<StoredObject> ownedBy(StoredObject owner, Predicate<JsonNode> reference) {
            return objects.stream()
                    .filter(
                            object ->
                                    references(object).stream()
                                            .filter(reference)
                                            .anyMatch(
                                                    each ->
                                                            owner(object, each)
                                                                    .filter(owner::equals)
                                                                    .isPresent()))
                    .toList();
        }

        /** What waits until nothing of its own is left. */
        static boolean waits(StoredObject owner) {
            return owner.isBeingDeleted() && owner.hasFinalizer(Deletions.FOREGROUND);
        }
    }

    private final ObjectStore store;
    private final Deletions deletions;
    private final SplittableRandom order;

    /** The version of the store at which nothing was left to do. */
    private long done = -1;

    GarbageCollector(ObjectStore store, Deletions deletions, long seed) {
        this.store = store;
        this.deletions = deletions;
        this.order = new SplittableRandom(seed);
    }

    /**
     * Does one of the things that there are to do.
     *
     * @return whether there was one
     */
    boolean step() {
        if (done == store.version()) {
            return false;
        }
        Graph graph = Graph.of(store.all());
        List<Runnable> todo = new ArrayList<>();
        for (StoredObject object : graph.objects()) {
            task(graph, object).ifPresent(todo::add);
        }
        if (todo.isEmpty()) {
            done = store.version();
            return false;
        }
        todo.get(order.nextInt(todo.size())).run();
        return true;
    }

    private Optional<Runnable> task(Graph graph, StoredObject object) {
        if (object.isBeingDeleted() && object.hasFinalizer(Deletions.ORPHAN)) {
            return Optional.of(() -> orphan(graph, object));
        }
        if (Graph.waits(object)
                && graph.ownedBy(object, each -> each.path("blockOwnerDeletion").asBoolean())
                        .isEmpty()) {
            return Optional.of(() -> removeFinalizer(object, Deletions.FOREGROUND));
        }
        return references(object).isEmpty() ? Optional.empty() : ofOwned(graph, object);
    }

    private Optional<Runnable> ofOwned(Graph graph, StoredObject object) {
        Set<JsonNode> gone = new HashSet<>();
        Set<JsonNode> waiting = new HashSet<>();
        for (JsonNode reference : references(object)) {
            Optional<StoredObject> owner = graph.owner(object, reference);
            if (owner.isEmpty()) {
                gone.add(reference);
            } else if (Graph.waits(owner.get())) {
                waiting.add(reference);
            }
        }
        boolean hasAnother = gone.size() + waiting.size() < references(object).size();
        gone.addAll(hasAnother ? waiting : Set.of());
        if (hasAnother) {
            return gone.isEmpty()
                    ? Optional.empty()
                    : Optional.of(() -> removeReferences(object, gone::contains));
        }
        if (object.isBeingDeleted()) {
            return Optional.empty();
        }
        boolean hasOwn = !graph.ownedBy(object, _ -> true).isEmpty();
        String propagation = !waiting.isEmpty() && hasOwn ? "Foreground" : "Background";
        return Optional.of(
                () ->
                        deletions.delete(
                                object, Deletions.Options.ofSeen(object, propagation), false));
    }

    private void orphan(Graph graph, StoredObject owner) {
        graph.ownedBy(owner, _ -> true)
                .forEach(
                        owned ->
                                removeReferences(
                                        owned,
                                        each -> each.path("uid").asText().equals(owner.uid())));
        removeFinalizer(owner, Deletions.ORPHAN);
    }

    private static List<JsonNode> references(StoredObject object) {
        List<JsonNode> all = new ArrayList<>();
        object.metadata().path("ownerReferences").forEach(all::add);
        return all;
    }

    private void removeReferences(StoredObject object, Predicate<JsonNode> those) {
        removeElements(object, "ownerReferences", those);
    }

    private void removeFinalizer(StoredObject object, String finalizer) {
        removeElements(object, "finalizers", each -> each.asText().equals(finalizer));
    }

    private void removeElements(StoredObject object, String list, Predicate<JsonNode> those) {
        StoredObject now = store.find(object.type(), object.key()).orElse(object);
        if (!Objects.equals(now.uid(), object.uid())) {
            return;
        }
        ObjectNode left = now.copy();
        var elements = left.withArray("/metadata/" + list);
        for (int i = elements.size() - 1; i >= 0; i--) {
            if (those.test(elements.get(i))) {
                elements.remove(i);
            }
        }
        if (elements.isEmpty()) {
            left.withObject("/metadata").remove(list);
        }
        if (Writes.isFinished(left)) {
            store.remove(now.type(), left);
        } else {
            store.put(now.type(), left);
        }
    }
}
