// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.metrics.EvaluatedScalingMetric;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * The engine's history of scalings, true to what is published: it measures restarts by waiting for
 * the parallelism it wrote down, and that may have been amended.
 */
final class AmendedHistory {
    private AmendedHistory() {}

    static Map<JobVertexID, SortedMap<Instant, ScalingSummary>> of(
            Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history,
            Map<String, Integer> overrides) {
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> amended = new HashMap<>();
        Optional<Instant> newest =
                history.values().stream()
                        .flatMap(entries -> entries.keySet().stream())
                        .max(Instant::compareTo);
        history.forEach(
                (vertex, entries) -> {
                    TreeMap<Instant, ScalingSummary> copy = new TreeMap<>(entries);
                    newest.ifPresent(
                            at ->
                                    copy.computeIfPresent(
                                            at, (_, was) -> amend(vertex, was, overrides)));
                    amended.put(vertex, copy);
                });
        return amended;
    }

    static Optional<EngineObservation> observation(Instant at, ScalingSummary summary) {
        EvaluatedScalingMetric rate =
                summary.getMetrics()
                        .getOrDefault(
                                ScalingMetric.TRUE_PROCESSING_RATE,
                                EvaluatedScalingMetric.of(Double.NaN));
        return Double.isFinite(rate.getAverage()) && rate.getAverage() > 0
                ? Optional.of(
                        new EngineObservation(
                                at, summary.getCurrentParallelism(), rate.getAverage()))
                : Optional.empty();
    }

    private static ScalingSummary amend(
            JobVertexID vertex, ScalingSummary was, Map<String, Integer> overrides) {
        int target = overrides.getOrDefault(vertex.toHexString(), was.getNewParallelism());
        ScalingSummary amended = new ScalingSummary();
        amended.setCurrentParallelism(was.getCurrentParallelism());
        amended.setNewParallelism(target);
        amended.setMetrics(was.getMetrics());
        return amended;
    }
}
