// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the engine would publish, beside what is published already.
 *
 * @param stable whether the job still runs and its resource is settled, as last seen
 * @param published overrides by vertex id; empty before the first scaling
 * @param proposed overrides of all vertices
 * @param running the parallelism each vertex has now
 * @param highest the maximum parallelism of each vertex Flink told of
 * @param doubtful vertices whose metrics contradict themselves: busy, and yet nothing came in
 */
public record Proposal(
        boolean stable,
        SortedMap<String, Integer> published,
        SortedMap<String, Integer> proposed,
        Map<String, Integer> running,
        Map<String, Integer> highest,
        Set<String> doubtful) {
    public Proposal {
        published = new TreeMap<>(published);
        proposed = new TreeMap<>(proposed);
        running = Map.copyOf(running);
        highest = Map.copyOf(highest);
        doubtful = Set.copyOf(doubtful);
    }

    /** Whether it takes back part of a scale-up that is published but does not run yet. */
    boolean takesBackAPendingScaleUp() {
        return published.entrySet().stream()
                .anyMatch(
                        vertex ->
                                isPending(vertex.getKey(), vertex.getValue())
                                        && proposed.getOrDefault(vertex.getKey(), vertex.getValue())
                                                < vertex.getValue());
    }

    /** Whether it takes something from a vertex nobody can tell the need of. */
    boolean lowersADoubtfulVertex() {
        return doubtful.stream()
                .filter(running::containsKey)
                .anyMatch(
                        vertex -> {
                            int now = running.getOrDefault(vertex, 0);
                            return proposed.getOrDefault(vertex, now) < now;
                        });
    }

    private boolean isPending(String vertex, int wanted) {
        return running.getOrDefault(vertex, wanted) < wanted;
    }
}
