// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Vertices that can't do what comes in with any parallelism: a sink whose database is full, a topic
 * with three partitions, a hot key. Whatever the other vertices of such a pipeline could do, no
 * more than that comes through, so that they are sized for that.
 */
public final class Bottlenecks {
    private Bottlenecks() {}

    /** With what really comes through each vertex; nothing that waits can be worked off. */
    public static Proposal respected(Proposal proposal) {
        Map<String, Double> passing = new HashMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) -> {
                            if (isBottleneck(vertex)) {
                                double share = vertex.need().capacity() / vertex.need().rate();
                                pipeline(id, proposal)
                                        .forEach(each -> passing.merge(each, share, Math::min));
                            }
                        });
        if (passing.isEmpty()) {
            return proposal;
        }
        SortedMap<String, Vertex> vertices = new TreeMap<>();
        proposal.vertices()
                .forEach(
                        (id, vertex) ->
                                vertices.put(
                                        id,
                                        Optional.ofNullable(passing.get(id))
                                                .map(share -> passing(vertex, share))
                                                .orElse(vertex)));
        return proposal.withVertices(vertices);
    }

    /** Whoever can do what comes through stays as it is, however fast the load grows. */
    private static Vertex passing(Vertex vertex, double share) {
        if (isBottleneck(vertex)) {
            return vertex.withNeed(vertex.need().givenUp());
        }
        Vertex passed = vertex.withNeed(vertex.need().givenUp().passing(share));
        return passed.isRaised() && !passed.need().isSwamped()
                ? passed.withProposed(passed.published())
                : passed;
    }

    private static boolean isBottleneck(Vertex vertex) {
        int most =
                vertex.groups() > 0
                        ? Math.min(vertex.groups(), vertex.highest())
                        : vertex.highest();
        return vertex.need().isSwamped() && (vertex.running() >= most || Curve.isFlat(vertex));
    }

    /** All vertices that records reach from this one, forwards and backwards. */
    private static Set<String> pipeline(String id, Proposal proposal) {
        Set<String> found = new HashSet<>(Set.of(id));
        boolean grows = true;
        while (grows) {
            grows = false;
            for (Map.Entry<String, Vertex> each : proposal.vertices().entrySet()) {
                boolean isIn = found.contains(each.getKey());
                for (String input : each.getValue().inputs()) {
                    if (isIn) {
                        grows |= found.add(input);
                    } else if (found.contains(input)) {
                        grows |= found.add(each.getKey());
                    }
                }
            }
        }
        return found;
    }
}
