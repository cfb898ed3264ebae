// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.govern.Trend;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.ScalingMetricEvaluator;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.config.AutoScalerOptions;
import org.apache.flink.autoscaler.metrics.CollectedMetricHistory;
import org.apache.flink.autoscaler.metrics.EvaluatedMetrics;
import org.apache.flink.autoscaler.metrics.EvaluatedScalingMetric;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.autoscaler.topology.JobTopology;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.autoscaler.tuning.MemoryTuning;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * The engine's evaluator, with the two bounds it lacks, remembering what it found. The engine's own
 * gauges are registered once and miss every vertex that appears later; this does not.
 */
final class RecordingEvaluator extends ScalingMetricEvaluator {
    /** In lower case. Each job keeps a hundred of them until its next look. */
    private static final Map<ScalingMetric, String> NAMES =
            Arrays.stream(ScalingMetric.values())
                    .collect(
                            Collectors.toMap(
                                    metric -> metric,
                                    metric -> metric.name().toLowerCase(Locale.ROOT),
                                    (first, _) -> first,
                                    () -> new EnumMap<>(ScalingMetric.class)));

    private final BooleanSupplier tellsBacklog;
    private final Supplier<ProcessorLoad> processors;
    private Optional<EvaluatedMetrics> last = Optional.empty();
    private Optional<JobTopology> topology = Optional.empty();
    private Map<String, Double> partitions = Map.of();
    private boolean windowFull;
    private Trend trend = Trend.STEADY;
    private double arrivals = Double.NaN;

    /**
     * @param tellsBacklog whether all sources of the job tell how many records wait
     * @param processors of the TaskManagers, as last measured
     */
    RecordingEvaluator(BooleanSupplier tellsBacklog, Supplier<ProcessorLoad> processors) {
        this.tellsBacklog = tellsBacklog;
        this.processors = processors;
    }

    private static double target(Configuration configuration) {
        return configuration.get(AutoScalerOptions.TARGET_UTILIZATION);
    }

    @Override
    public EvaluatedMetrics evaluate(
            Configuration configuration, CollectedMetricHistory history, Duration restartTime) {
        EvaluatedMetrics metrics = super.evaluate(configuration, history, restartTime);
        boolean backlog =
                isProcessingBacklog(
                        history.getJobTopology(), history.getMetricHistory(), configuration);
        Bounds bounds = Bounds.of(configuration, backlog, restartTime);
        (tellsBacklog.getAsBoolean() ? bounds : bounds.withoutBacklog(target(configuration)))
                .setIn(metrics);
        partitions = hidePartitions(metrics);
        new Processors(processors.get(), history.getJobTopology(), configuration).limit(metrics);
        last = Optional.of(metrics);
        topology = Optional.of(history.getJobTopology());
        windowFull = history.isFullyCollected();
        trend = Growth.of(history);
        arrivals = Growth.latest(history);
        return metrics;
    }

    /**
     * Options for memory that suits these overrides, as the engine would tune it for its own; empty
     * if nothing was evaluated.
     */
    Optional<ConfigChanges> memory(
            JobAutoScalerContext<JobKey> job,
            SortedMap<String, Integer> overrides,
            RecordedEvents events) {
        return last.flatMap(
                metrics ->
                        topology.map(
                                vertices ->
                                        MemoryTuning.tuneTaskManagerMemory(
                                                job,
                                                metrics,
                                                vertices,
                                                summaries(metrics, vertices, overrides),
                                                events)));
    }

    private static Map<JobVertexID, ScalingSummary> summaries(
            EvaluatedMetrics metrics, JobTopology vertices, SortedMap<String, Integer> overrides) {
        Map<JobVertexID, ScalingSummary> summaries = new HashMap<>();
        vertices.getVertexInfos()
                .forEach(
                        (id, vertex) -> {
                            int now = vertex.getParallelism();
                            int then = overrides.getOrDefault(id.toHexString(), now);
                            if (now != then) {
                                summaries.put(
                                        id,
                                        new ScalingSummary(
                                                now,
                                                then,
                                                metrics.getVertexMetrics()
                                                        .getOrDefault(id, Map.of())));
                            }
                        });
        return summaries;
    }

    void forget() {
        last = Optional.empty();
        windowFull = false;
        trend = Trend.STEADY;
        arrivals = Double.NaN;
    }

    double arrivals() {
        return arrivals;
    }

    Trend trend() {
        return trend;
    }

    boolean isWindowFull() {
        return windowFull;
    }

    /** By vertex id and metric name in lower case; empty if nothing was evaluated. */
    Map<String, SortedMap<String, Measure>> seen() {
        Map<String, SortedMap<String, Measure>> vertices = new HashMap<>();
        last.ifPresent(
                metrics ->
                        metrics.getVertexMetrics()
                                .forEach(
                                        (vertex, values) ->
                                                vertices.put(
                                                        vertex.toHexString(), measures(values))));
        partitions.forEach(
                (vertex, number) ->
                        vertices.computeIfPresent(
                                vertex,
                                (_, values) -> {
                                    values.put(
                                            "num_source_partitions",
                                            new Measure(number, Double.NaN));
                                    return values;
                                }));
        if (processors.get().isKnown()) {
            Measure load = new Measure(processors.get().mean(), Double.NaN);
            vertices.values().forEach(values -> values.put("processor_load", load));
        }
        return vertices;
    }

    /** Sharing partitions out is the governor's, like key groups. Returns them by vertex id. */
    private static Map<String, Double> hidePartitions(EvaluatedMetrics metrics) {
        Map<String, Double> partitions = new HashMap<>();
        metrics.getVertexMetrics()
                .forEach(
                        (vertex, values) -> {
                            EvaluatedScalingMetric known =
                                    values.put(
                                            ScalingMetric.NUM_SOURCE_PARTITIONS,
                                            EvaluatedScalingMetric.of(0));
                            if (known != null && known.getCurrent() > 0) {
                                partitions.put(vertex.toHexString(), known.getCurrent());
                            }
                        });
        return partitions;
    }

    private static SortedMap<String, Measure> measures(
            Map<ScalingMetric, EvaluatedScalingMetric> values) {
        NavigableMap<String, Measure> measures = new TreeMap<>();
        values.forEach(
                (metric, value) -> {
                    if (value != null) { // the engine's way to say that it recommends nothing yet
                        measures.put(
                                NAMES.get(metric),
                                new Measure(value.getCurrent(), value.getAverage()));
                    }
                });
        return measures;
    }
}
