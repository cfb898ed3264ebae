// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.decide.Measure;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobVertex;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** A scaling in one line for people: which vertices, from what to what, and why. */
final class ScalingText {
    private static final Measure UNKNOWN = new Measure(Double.NaN, Double.NaN);

    private ScalingText() {}

    static String of(
            JobDetails job,
            Map<String, Integer> overrides,
            Map<String, SortedMap<String, Measure>> seen) {
        return job.vertices().stream()
                .filter(vertex -> target(vertex, overrides) != vertex.parallelism())
                .map(
                        vertex ->
                                vertex(
                                        vertex,
                                        target(vertex, overrides),
                                        seen.getOrDefault(
                                                vertex.id(), Collections.emptySortedMap())))
                .collect(Collectors.joining("; "));
    }

    private static int target(JobVertex vertex, Map<String, Integer> overrides) {
        return overrides.getOrDefault(vertex.id(), vertex.parallelism());
    }

    private static String vertex(JobVertex vertex, int target, Map<String, Measure> measures) {
        return String.format(
                Locale.ROOT,
                "%s (%s) %d -> %d: needs %.1f/s and %.1f/s of backlog, can do %.1f/s at load %.2f",
                vertex.name(),
                vertex.id(),
                vertex.parallelism(),
                target,
                measures.getOrDefault("target_data_rate", UNKNOWN).value(),
                measures.getOrDefault("catch_up_data_rate", UNKNOWN).value(),
                measures.getOrDefault("true_processing_rate", UNKNOWN).value(),
                measures.getOrDefault("load", UNKNOWN).value());
    }
}
