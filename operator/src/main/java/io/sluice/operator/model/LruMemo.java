// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The last few results of a pure function that is asked for the same again and again. Safe for many
 * threads; the function may be called twice for the same.
 */
final class LruMemo<K, V> {
    private final Map<K, V> results;

    /**
     * @param most how many results are kept, those that were asked for last
     */
    LruMemo(int most) {
        results =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                        return size() > most;
                    }
                };
    }

    V get(K key, Function<K, V> function) {
        Optional<V> known = known(key);
        if (known.isPresent()) {
            return known.get();
        }
        V result = function.apply(key);
        keep(key, result);
        return result;
    }

    private synchronized Optional<V> known(K key) {
        return Optional.ofNullable(results.get(key));
    }

    private synchronized void keep(K key, V result) {
        results.put(key, result);
    }
}
