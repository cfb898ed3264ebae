// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/** Kubernetes' namespace controller: it empties namespaces that are deleted, then removes them. */
final class TerminatingNamespaces {
    private final ObjectStore store;
    private final ResourceTypes types;
    private final Deletions deletions;

    TerminatingNamespaces(ObjectStore store, ResourceTypes types, Deletions deletions) {
        this.store = store;
        this.types = types;
        this.deletions = deletions;
    }

    /** Goes through all of them once. One in which something waits for a finalizer stays. */
    void finish() {
        List<StoredObject> terminating =
                store.list(types.namespaces(), Optional.empty()).stream()
                        .filter(StoredObject::isBeingDeleted)
                        .toList();
        terminating.forEach(this::finish);
    }

    private void finish(StoredObject namespace) {
        Optional<String> name = Optional.of(namespace.name());
        store.all().stream()
                .filter(object -> object.namespace().equals(name))
                .forEach(
                        object ->
                                deletions.delete(
                                        object,
                                        Deletions.Options.ofSeen(object, "Background"),
                                        false));
        if (store.all().stream().noneMatch(object -> object.namespace().equals(name))) {
            ObjectNode left = namespace.copy();
            left.withObject("/spec").remove("finalizers");
            if (Writes.isFinished(left)) {
                store.remove(namespace.type(), left);
            }
        }
    }
}
