// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * When the heartbeat of each replica was last seen to change, by the own clock: what another one
 * wrote as the time is not believed, so that clocks may differ, and jump. Times are nanoseconds of
 * {@link System#nanoTime}.
 */
record ReplicaHeartbeats(Map<String, SeenHeartbeat> byName) {
    static final ReplicaHeartbeats NONE = new ReplicaHeartbeats(Map.of());

    record SeenHeartbeat(Heartbeat last, long changed) {}

    ReplicaHeartbeats {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /** After these were read; one that is not among them has signed off. */
    ReplicaHeartbeats after(Collection<Heartbeat> read, long now) {
        Map<String, SeenHeartbeat> next = new HashMap<>();
        for (Heartbeat each : read) {
            Optional<SeenHeartbeat> known = Optional.ofNullable(byName.get(each.member().name()));
            next.put(
                    each.member().name(),
                    known.filter(sighting -> sighting.last().beat().equals(each.beat()))
                            .orElse(new SeenHeartbeat(each, now)));
        }
        return new ReplicaHeartbeats(next);
    }

    SortedSet<Member> alive(Duration lease, long now) {
        SortedSet<Member> alive = new TreeSet<>();
        byName.values().stream()
                .filter(sighting -> now - sighting.changed() < lease.toNanos())
                .forEach(sighting -> alive.add(sighting.last().member()));
        return alive;
    }

    /** Replicas that have been silent for so long that their Leases are litter. */
    List<Member> silentFor(Duration time, long now) {
        return byName.values().stream()
                .filter(sighting -> now - sighting.changed() >= time.toNanos())
                .map(sighting -> sighting.last().member())
                .toList();
    }
}
