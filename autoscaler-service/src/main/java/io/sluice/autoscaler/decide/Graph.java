// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a job's vertices hang together, as last collected.
 *
 * @param inputs what each vertex reads from, by vertex id
 * @param sharing the slot sharing group of each vertex, by vertex id
 */
public record Graph(Map<String, List<Input>> inputs, Map<String, String> sharing) {
    public static final Graph EMPTY = new Graph(Map.of(), Map.of());

    /**
     * One edge.
     *
     * @param ship Flink's word for how records travel, for example {@code HASH}
     */
    public record Input(String from, String ship) {}

    public Graph {
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
        sharing = Collections.unmodifiableMap(new LinkedHashMap<>(sharing));
    }

    public boolean isSource(String vertex) {
        return inputs.getOrDefault(vertex, List.of()).isEmpty();
    }

    /** Whether records reach it by key: its subtasks then share key groups. */
    public boolean isKeyed(String vertex) {
        return inputs.getOrDefault(vertex, List.of()).stream()
                .anyMatch(input -> input.ship().equals("HASH"));
    }
}
