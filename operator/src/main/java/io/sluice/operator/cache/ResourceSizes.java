// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How large the resources of one kind are, in bytes of JSON without their metadata. Only of large
 * ones it is kept how large they are.
 */
public final class ResourceSizes {
    private static final int USUAL = 16 * 1024;

    private final Map<String, Integer> large = new ConcurrentHashMap<>();

    /** The size of the resource; of an unknown one and of one of usual size, that size. */
    public int of(String namespace, String name) {
        return large.getOrDefault(Cache.namespaceKeyFunc(namespace, name), USUAL);
    }

    void put(String key, int bytes) {
        if (bytes > USUAL) {
            large.put(key, bytes);
        } else {
            large.remove(key);
        }
    }

    void remove(String key) {
        large.remove(key);
    }
}
