// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.govern.Trend;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * What came of one cycle of the engine.
 *
 * @param seen metrics by vertex id and metric name; empty if nothing could be evaluated
 * @param proposed overrides as the engine would publish them; equal to the published ones if it
 *     wants no change
 * @param notReady why nothing was collected, if so
 * @param windowFull whether there are enough samples to decide on
 * @param trend where the load goes
 * @param arrivals records a second that came in during the last minute; not a number if unknown
 * @param failure what the engine swallowed
 */
public record Evaluation(
        Map<String, SortedMap<String, Measure>> seen,
        SortedMap<String, Integer> proposed,
        List<EngineEvent> events,
        Optional<String> notReady,
        int samples,
        boolean windowFull,
        Trend trend,
        double arrivals,
        Graph graph,
        Optional<Throwable> failure) {
    private static final double BUSY = 0.5;
    private static final Measure NONE = new Measure(0, 0);

    /**
     * Vertices that were busy although nothing came in. Flink repeats its last metrics when it is
     * too busy to fetch new ones: counters stand still, and the engine takes that for an idle job.
     */
    public Set<String> doubtful() {
        return seen.entrySet().stream()
                .filter(vertex -> isDoubtful(vertex.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Whether a vertex can do less than its bound allows. */
    public boolean isShort() {
        return seen.values().stream()
                .anyMatch(
                        vertex ->
                                vertex.getOrDefault("true_processing_rate", NONE).value()
                                        < vertex.getOrDefault("scale_up_rate_threshold", NONE)
                                                .value());
    }

    /** Whether the engine had enough samples to decide that the job needs no change. */
    public boolean isJudged() {
        return windowFull && notReady.isEmpty() && failure.isEmpty();
    }

    /** Whether the engine would scale, be it to what is published already. */
    public boolean wantsScaling() {
        return events.stream().anyMatch(EngineEvent::announcesScaling);
    }

    private static boolean isDoubtful(SortedMap<String, Measure> measures) {
        return Double.isInfinite(measures.getOrDefault("true_processing_rate", NONE).value())
                && measures.getOrDefault("load", NONE).value() >= BUSY;
    }
}
