// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What waits, by namespace. Namespaces take turns, so that thousands of one delay those of another
 * by no more than one each. Of a namespace the newest and the oldest come in turns: what a user
 * just did is seen to at once, and no poll waits for ever. Not for use by several threads.
 */
final class NamespaceQueue<T> {
    private final SequencedMap<String, Places<T>> byNamespace = new LinkedHashMap<>();
    private int size;

    void add(String namespace, T item) {
        byNamespace.computeIfAbsent(namespace, _ -> new Places<>()).add(item);
        size++;
    }

    /** Takes out what comes next; empty if nothing waits. */
    Optional<T> next() {
        Optional<Map.Entry<String, Places<T>>> turn =
                Optional.ofNullable(byNamespace.pollFirstEntry());
        return turn.map(
                namespace -> {
                    T item = namespace.getValue().next();
                    size--;
                    if (!namespace.getValue().isEmpty()) {
                        byNamespace.putLast(namespace.getKey(), namespace.getValue());
                    }
                    return item;
                });
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** What waits of one namespace. */
    private static final class Places<T> {
        private final Deque<T> waiting = new ArrayDeque<>();
        private boolean newestNext;

        private void add(T item) {
            waiting.addLast(item);
        }

        private T next() {
            newestNext = !newestNext;
            return newestNext ? waiting.removeLast() : waiting.removeFirst();
        }

        private boolean isEmpty() {
            return waiting.isEmpty();
        }
    }
}
