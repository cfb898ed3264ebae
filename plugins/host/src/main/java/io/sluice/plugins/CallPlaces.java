// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Which checks have a thread. A check that hangs keeps its thread until it ends, so there is a
 * bound for each namespace and for all: whoever makes plugins hang fills up the places of its own
 * namespace.
 */
final class CheckPlaces {
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

    CheckPlaces(int most, int mostOfNamespace) {
        this.most = most;
        this.mostOfNamespace = mostOfNamespace;
    }

    /**
     * Takes a place for a resource, which may have one at a time.
     *
     * @param timeout after which a check that goes on is hanging
     */
    synchronized Answer take(String namespace, String uid, Instant now, Duration timeout) {
        Map<String, Instant> own =
                begunByNamespace.computeIfAbsent(namespace, _ -> new HashMap<>());
        Instant before = own.get(uid);
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
        own.put(uid, now);
        taken++;
        return Answer.TAKEN;
    }

    synchronized void free(String namespace, String uid) {
        Map<String, Instant> own = begunByNamespace.getOrDefault(namespace, Map.of());
        if (own.containsKey(uid)) {
            own.remove(uid);
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
