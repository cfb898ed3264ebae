// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** A scaling in one line for people: which vertices, and from what to what. */
public final class ScalingText {
    private ScalingText() {}

    /** For a time line, where its reason stands beside it. */
    static String brief(List<VertexView> vertices, Map<String, Integer> overrides) {
        return changes(
                vertices,
                overrides,
                ", ",
                (vertex, target) -> vertex.name() + " " + vertex.parallelism() + " → " + target);
    }

    /** With the rates that led to it. */
    public static String full(List<VertexView> vertices, Map<String, Integer> overrides) {
        return changes(
                vertices,
                overrides,
                "; ",
                (vertex, target) ->
                        String.format(
                                Locale.ROOT,
                                "%s (%s) %d -> %d: needs %.1f/s and %.1f/s of backlog, can do"
                                        + " %.1f/s at load %.2f",
                                vertex.name(),
                                vertex.id(),
                                vertex.parallelism(),
                                target,
                                rate(vertex, "target_data_rate"),
                                rate(vertex, "catch_up_data_rate"),
                                rate(vertex, "true_processing_rate"),
                                rate(vertex, "load")));
    }

    private static String changes(
            List<VertexView> vertices,
            Map<String, Integer> overrides,
            String separator,
            BiFunction<VertexView, Integer, String> text) {
        return vertices.stream()
                .filter(vertex -> target(vertex, overrides) != vertex.parallelism())
                .map(vertex -> text.apply(vertex, target(vertex, overrides)))
                .collect(Collectors.joining(separator));
    }

    private static int target(VertexView vertex, Map<String, Integer> overrides) {
        return overrides.getOrDefault(vertex.id(), vertex.parallelism());
    }

    private static double rate(VertexView vertex, String measure) {
        return vertex.measure(measure).orElse(Double.NaN);
    }
}
