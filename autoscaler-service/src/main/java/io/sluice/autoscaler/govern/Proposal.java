// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the engine would publish, beside what is published already.
 *
 * @param stable whether the job still runs and its resource is settled, as last seen
 * @param published overrides by vertex id; empty before the first scaling
 * @param proposed overrides of all vertices
 * @param highest the maximum parallelism of each vertex Flink told of
 */
public record Proposal(
        boolean stable,
        SortedMap<String, Integer> published,
        SortedMap<String, Integer> proposed,
        Map<String, Integer> highest) {
    public Proposal {
        published = new TreeMap<>(published);
        proposed = new TreeMap<>(proposed);
        highest = Map.copyOf(highest);
    }
}
