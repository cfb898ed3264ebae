// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.govern.Consumption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The last look at one job: what was seen, and what came of it.
 *
 * @param restart how long a rescale stops the job, measured or expected; empty if unknown yet
 * @param consumption empty while nothing could be evaluated
 * @param behind how long the job has not kept up with its load, as far as this process saw it;
 *     empty if it keeps up
 * @param ignored options that could not be read, or have no effect: key and remedy
 */
public record Explanation(
        JobKey key,
        Instant at,
        List<VertexView> vertices,
        Graph graph,
        Verdict verdict,
        Counts counts,
        Optional<Duration> restart,
        Optional<Consumption> consumption,
        Optional<Duration> behind,
        List<String> ignored,
        Timeline timeline,
        HourlyHistory hours) {
    public Explanation {
        vertices = List.copyOf(vertices);
        ignored = List.copyOf(ignored);
    }

    /** The vertices that read from no other. */
    List<VertexView> sources() {
        return vertices.stream()
                .filter(vertex -> graph.inputs().getOrDefault(vertex.id(), List.of()).isEmpty())
                .toList();
    }

    /** Records that come in at all sources, per second; empty while no source tells. */
    public Optional<Double> rate() {
        return sources().stream()
                .flatMap(source -> source.measure("target_data_rate").stream())
                .filter(Double::isFinite)
                .reduce(Double::sum);
    }

    /**
     * How long the records that wait have come in, in seconds, where that is longest; empty if no
     * source tells.
     */
    public Optional<Double> lagSeconds() {
        return sources().stream()
                .flatMap(
                        source ->
                                source
                                        .measure("lag")
                                        .flatMap(
                                                lag ->
                                                        source.measure("target_data_rate")
                                                                .map(rate -> lag / rate))
                                        .filter(Double::isFinite)
                                        .stream())
                .max(Double::compare);
    }
}
