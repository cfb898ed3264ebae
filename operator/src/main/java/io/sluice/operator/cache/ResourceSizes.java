// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How large the resources of one kind are, in bytes of JSON without their metadata. Only the sizes
 * of large resources are kept.
 */
public final class ResourceSizes {
    /** The size that is assumed of each resource that is not large. */
    public static final int USUAL = 16 * 1024;

    private final Map<String, Integer> large = new ConcurrentHashMap<>();

    /** Returns the size of the resource, or {@link #USUAL} if it is smaller or unknown. */
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
