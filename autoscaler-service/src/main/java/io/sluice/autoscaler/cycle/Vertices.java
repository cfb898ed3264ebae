// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.decide.EngineObservation;
import io.sluice.autoscaler.decide.Evaluation;
import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.decide.Measure;
import io.sluice.autoscaler.govern.Capacities;
import io.sluice.autoscaler.govern.Vertex;
import io.sluice.flink.rest.JobVertex;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The engine's measures of a job, in the governor's terms. */
record Vertices(
        Evaluation evaluation,
        SortedMap<String, Integer> published,
        Map<String, List<EngineObservation>> observations,
        Capacities capacities) {
    private static final Measure NONE = new Measure(Double.NaN, Double.NaN);

    /**
     * By vertex id.
     *
     * @param restartShare restart time by catch-up time: what piles up meanwhile is worked off too
     */
    SortedMap<String, Vertex> of(List<JobVertex> running, double restartShare) {
        SortedMap<String, Vertex> vertices = new TreeMap<>();
        running.forEach(vertex -> vertices.put(vertex.id(), vertex(vertex, restartShare)));
        return vertices;
    }

    private Vertex vertex(JobVertex vertex, double restartShare) {
        String id = vertex.id();
        int now = vertex.parallelism();
        int wished = published.getOrDefault(id, now);
        return new Vertex(
                now,
                wished,
                proposed(id, wished),
                vertex.maxParallelism() > 0 ? vertex.maxParallelism() : Integer.MAX_VALUE,
                groups(vertex),
                evaluation.graph().sharing().getOrDefault(id, ""),
                evaluation.graph().inputs().getOrDefault(id, List.of()).stream()
                        .map(Graph.Input::from)
                        .toList(),
                need(id, restartShare),
                curve(id));
    }

    private List<Vertex.Point> curve(String id) {
        Stream<Vertex.Point> ofEngine =
                observations.getOrDefault(id, List.of()).stream()
                        .filter(seen -> !seen.at().isBefore(capacities.comparableSince(id)))
                        .map(seen -> new Vertex.Point(seen.parallelism(), seen.rate()));
        return Stream.concat(capacities.points(id).stream(), ofEngine).toList();
    }

    /**
     * Asked to take from one vertex, the engine sizes all of them anew; what would be added to
     * others within their bounds is not worth a restart, and left out.
     */
    private int proposed(String id, int wished) {
        int proposed = evaluation.proposed().getOrDefault(id, wished);
        return evaluation.isShort() ? proposed : Math.min(proposed, wished);
    }

    private int groups(JobVertex vertex) {
        double partitions = measure(vertex.id(), "num_source_partitions");
        if (partitions >= 1) {
            return (int) partitions;
        }
        return evaluation.graph().isKeyed(vertex.id()) ? Math.max(0, vertex.maxParallelism()) : 0;
    }

    private Vertex.Need need(String id, double restartShare) {
        double rate = measure(id, "target_data_rate");
        return new Vertex.Need(
                measure(id, "true_processing_rate"),
                rate,
                measure(id, "catch_up_data_rate") + rate * restartShare,
                measure(id, "lag"),
                evaluation.doubtful().contains(id));
    }

    private double measure(String id, String metric) {
        return evaluation
                .seen()
                .getOrDefault(id, Collections.emptySortedMap())
                .getOrDefault(metric, NONE)
                .value();
    }
}
