// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugins;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells which calls have a thread. A call that hangs keeps its thread until it ends, so there is a
 * bound for each namespace and for all: whoever makes plugins hang fills up the places of its own
 * namespace.
 */
final class CallPlaces {
    private final int most;
    private final int mostOfNamespace;
    private final Map<String, Map<String, Instant>> begunByNamespace = new HashMap<>();
    private int taken;

    /** What came of asking for a place. */
    enum Answer {
        TAKEN,
        /** There is none now, and there will be one soon. */
        FULL,
        /** There is none, and nothing that has one ended in its time. */
        HANGING
    }

    CallPlaces(int most, int mostOfNamespace) {
        this.most = most;
        this.mostOfNamespace = mostOfNamespace;
    }

    /**
     * Takes a place for a call.
     *
     * @param key of the call; there is one call with the same key at a time in a namespace
     * @param timeout after which a call that goes on is hanging
     */
    synchronized Answer take(String namespace, String key, Instant now, Duration timeout) {
        Map<String, Instant> own =
                begunByNamespace.computeIfAbsent(namespace, _ -> new HashMap<>());
        Instant before = own.get(key);
        if (before != null) {
            return isHanging(before, now, timeout) ? Answer.HANGING : Answer.FULL;
        }
        if (own.size() >= mostOfNamespace) {
            return allHang(own, now, timeout) ? Answer.HANGING : Answer.FULL;
        }
        if (taken >= most) {
            return begunByNamespace.values().stream().allMatch(all -> allHang(all, now, timeout))
                    ? Answer.HANGING
                    : Answer.FULL;
        }
        own.put(key, now);
        taken++;
        return Answer.TAKEN;
    }

    synchronized void free(String namespace, String key) {
        Map<String, Instant> own = begunByNamespace.getOrDefault(namespace, Map.of());
        if (own.containsKey(key)) {
            own.remove(key);
            taken--;
        }
        if (own.isEmpty()) {
            begunByNamespace.remove(namespace);
        }
    }

    private static boolean allHang(Map<String, Instant> begun, Instant now, Duration timeout) {
        return begun.values().stream().allMatch(each -> isHanging(each, now, timeout));
    }

    private static boolean isHanging(Instant begun, Instant now, Duration timeout) {
        return now.isAfter(begun.plus(timeout));
    }
}
