// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;

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

    /** Returns what {@link #next} would take out, and leaves it where it is. */
    Optional<T> peek(Predicate<T> may) {
        return byNamespace.values().stream().map(Places::peek).filter(may).findFirst();
    }

    /**
     * Takes out what comes next.
     *
     * @param may tells whether an item may come; a namespace whose item may not keeps its place
     * @return empty if nothing may come
     */
    Optional<T> next(Predicate<T> may) {
        Optional<Map.Entry<String, Places<T>>> turn =
                byNamespace.entrySet().stream()
                        .filter(namespace -> may.test(namespace.getValue().peek()))
                        .findFirst();
        return turn.map(namespace -> next(namespace.getKey(), namespace.getValue()));
    }

    private T next(String namespace, Places<T> places) {
        T item = places.next();
        size--;
        if (places.isEmpty()) {
            byNamespace.remove(namespace);
        } else {
            byNamespace.putLast(namespace, places);
        }
        return item;
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
        private boolean newestNext = true;

        private void add(T item) {
            waiting.addLast(item);
        }

        private T peek() {
            return newestNext ? waiting.getLast() : waiting.getFirst();
        }

        private T next() {
            T item = newestNext ? waiting.removeLast() : waiting.removeFirst();
            newestNext = !newestNext;
            return item;
        }

        private boolean isEmpty() {
            return waiting.isEmpty();
        }
    }
}
