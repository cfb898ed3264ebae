// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.VertexView;
import io.sluice.autoscaler.govern.Consumption;
import io.sluice.process.metric.Series;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Each job's last explanation as series; with the explanation its series vanish. */
public final class JobMetrics extends Collector {
    private static final String VERTEX = "sluice_autoscaler_vertex_";

    private final Explanations explanations;

    public JobMetrics(Explanations explanations) {
        this.explanations = explanations;
    }

    @Override
    public List<MetricFamilySamples> collect() {
        return List.of(
                counter("sluice_autoscaler_scalings", Counts::scalings),
                counter("sluice_autoscaler_errors", Counts::errors),
                counter("sluice_autoscaler_balanced", Counts::balanced),
                byReason("sluice_autoscaler_holds", Counts::holds),
                byReason("sluice_autoscaler_state_discarded", Counts::discarded),
                jobGauge(
                        "sluice_autoscaler_budget_left",
                        each ->
                                Optional.of(
                                        (double) each.counts().perDay() - each.counts().ofDay())),
                jobGauge(
                        "sluice_autoscaler_rescale_downtime_seconds",
                        each -> each.restart().map(restart -> restart.toMillis() / 1000.0)),
                jobGauge(
                        "sluice_autoscaler_slots",
                        each -> each.consumption().map(it -> (double) it.slots())),
                jobGauge(
                        "sluice_autoscaler_slots_needed",
                        each ->
                                each.consumption()
                                        .flatMap(Consumption::neededSlots)
                                        .map(Integer::doubleValue)),
                jobGauge(
                        "sluice_autoscaler_cost_per_hour",
                        each -> each.consumption().flatMap(Consumption::costPerHour)),
                jobGauge(
                        "sluice_autoscaler_cost_needed_per_hour",
                        each -> each.consumption().flatMap(Consumption::neededCostPerHour)),
                jobGauge("sluice_autoscaler_lag_seconds", Explanation::lagSeconds),
                jobGauge(
                        "sluice_autoscaler_behind_seconds",
                        each ->
                                Optional.of(
                                        (double)
                                                each.behind().map(Duration::toSeconds).orElse(0L))),
                measured("sluice_autoscaler_vertex_load"),
                measured("sluice_autoscaler_vertex_processor_load"),
                measured("sluice_autoscaler_vertex_true_processing_rate"),
                measured("sluice_autoscaler_vertex_target_data_rate"),
                measured("sluice_autoscaler_vertex_catch_up_data_rate"),
                measured("sluice_autoscaler_vertex_lag"),
                measured("sluice_autoscaler_vertex_scale_up_rate_threshold"),
                measured("sluice_autoscaler_vertex_scale_down_rate_threshold"),
                measured("sluice_autoscaler_vertex_expected_processing_rate"),
                measured("sluice_autoscaler_vertex_max_parallelism"),
                measured("sluice_autoscaler_vertex_num_source_partitions"),
                parallelism(),
                measured("sluice_autoscaler_vertex_recommended_parallelism"));
    }

    private CounterMetricFamily counter(String name, ToDoubleFunction<Counts> count) {
        CounterMetricFamily family = Series.counters(name);
        for (Explanation each : explanations.all()) {
            family.addMetric(labels(each), count.applyAsDouble(each.counts()));
        }
        return family;
    }

    private CounterMetricFamily byReason(
            String name, Function<Counts, Map<? extends Enum<?>, Long>> count) {
        CounterMetricFamily family = Series.counters(name);
        for (Explanation each : explanations.all()) {
            count.apply(each.counts())
                    .forEach(
                            (reason, times) ->
                                    family.addMetric(
                                            List.of(
                                                    each.key().namespace(),
                                                    each.key().name(),
                                                    reason.name()),
                                            times));
        }
        return family;
    }

    private GaugeMetricFamily jobGauge(String name, Function<Explanation, Optional<Double>> value) {
        GaugeMetricFamily family = Series.gauges(name);
        for (Explanation each : explanations.all()) {
            value.apply(each).ifPresent(number -> family.addMetric(labels(each), number));
        }
        return family;
    }

    /** What the engine measured of each vertex, by the engine's own name of it. */
    private GaugeMetricFamily measured(String name) {
        GaugeMetricFamily family = Series.gauges(name);
        String measure = name.substring(VERTEX.length());
        for (Explanation each : explanations.all()) {
            for (VertexView vertex : each.vertices()) {
                vertex.measure(measure)
                        .ifPresent(value -> family.addMetric(labels(each, vertex), value));
            }
        }
        return family;
    }

    /** Known even before anything could be evaluated. */
    private GaugeMetricFamily parallelism() {
        GaugeMetricFamily family = Series.gauges(VERTEX + "parallelism");
        for (Explanation each : explanations.all()) {
            for (VertexView vertex : each.vertices()) {
                family.addMetric(labels(each, vertex), vertex.parallelism());
            }
        }
        return family;
    }

    private static List<String> labels(Explanation job) {
        return List.of(job.key().namespace(), job.key().name());
    }

    /** Prometheus refuses a page that has one series twice, and Flink does not mind equal names. */
    private static List<String> labels(Explanation job, VertexView vertex) {
        boolean unique =
                job.vertices().stream().filter(it -> it.name().equals(vertex.name())).count() == 1;
        return List.of(
                job.key().namespace(),
                job.key().name(),
                unique ? vertex.name() : vertex.name() + " " + vertex.id());
    }
}
