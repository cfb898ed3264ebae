// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.VertexView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Each job's last explanation as series; with the explanation its series vanish. */
public final class JobMetrics extends Collector {
    private static final List<String> JOB = List.of("namespace", "name");
    private static final List<String> VERTEX = List.of("namespace", "name", "vertex");

    private final Explanations explanations;

    public JobMetrics(Explanations explanations) {
        this.explanations = explanations;
    }

    @Override
    public List<MetricFamilySamples> collect() {
        List<MetricFamilySamples> families = new ArrayList<>();
        families.add(counter("scalings", "Published scalings", Counts::scalings));
        families.add(counter("errors", "Cycles that failed", Counts::errors));
        families.add(counter("balanced", "Cycles without need to scale", Counts::balanced));
        families.add(
                byReason(
                        "holds",
                        "Looks at which a proposal was held, by reason",
                        counts -> counts.holds()));
        families.add(
                byReason(
                        "state_discarded",
                        "Entries of the stored state that were not used, by what was wrong",
                        counts -> counts.discarded()));
        families.add(
                jobGauge(
                        "budget_left",
                        "Rescales the job may still make within 24 hours",
                        each ->
                                Optional.of(
                                        (double) each.counts().perDay() - each.counts().ofDay())));
        families.add(
                jobGauge(
                        "rescale_downtime_seconds",
                        "How long a rescale stops the job: measured, or what is expected",
                        each -> each.restart().map(restart -> restart.toMillis() / 1000.0)));
        families.add(gauge("load", "Busy time ratio, 1 is saturated"));
        families.add(gauge("true_processing_rate", "Records per second if always busy"));
        families.add(gauge("target_data_rate", "Records per second to keep up with"));
        families.add(gauge("catch_up_data_rate", "Records per second to work off what waits"));
        families.add(gauge("lag", "Records waiting at a source"));
        families.add(gauge("scale_up_rate_threshold", "More is needed below this rate"));
        families.add(gauge("scale_down_rate_threshold", "Less would do above this rate"));
        families.add(gauge("expected_processing_rate", "What the last scaling was to give"));
        families.add(gauge("max_parallelism", "Highest parallelism Flink allows"));
        families.add(gauge("num_source_partitions", "Partitions a source reads"));
        families.add(parallelism());
        families.add(gauge("recommended_parallelism", "Parallelism the engine recommends"));
        return families;
    }

    private CounterMetricFamily counter(String name, String help, ToDoubleFunction<Counts> count) {
        var family = new CounterMetricFamily("sluice_autoscaler_" + name, help, JOB);
        for (Explanation each : explanations.all()) {
            family.addMetric(
                    List.of(each.key().namespace(), each.key().name()),
                    count.applyAsDouble(each.counts()));
        }
        return family;
    }

    private CounterMetricFamily byReason(
            String name, String help, Function<Counts, Map<? extends Enum<?>, Long>> count) {
        var family =
                new CounterMetricFamily(
                        "sluice_autoscaler_" + name, help, List.of("namespace", "name", "reason"));
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

    private GaugeMetricFamily jobGauge(
            String name, String help, Function<Explanation, Optional<Double>> value) {
        var family = new GaugeMetricFamily("sluice_autoscaler_" + name, help, JOB);
        for (Explanation each : explanations.all()) {
            value.apply(each)
                    .ifPresent(
                            number ->
                                    family.addMetric(
                                            List.of(each.key().namespace(), each.key().name()),
                                            number));
        }
        return family;
    }

    private GaugeMetricFamily gauge(String metric, String help) {
        var family = vertexFamily(metric, help);
        for (Explanation each : explanations.all()) {
            for (VertexView vertex : each.vertices()) {
                vertex.measure(metric)
                        .ifPresent(value -> family.addMetric(labels(each, vertex), value));
            }
        }
        return family;
    }

    /** Known even before anything could be evaluated. */
    private GaugeMetricFamily parallelism() {
        var family = vertexFamily("parallelism", "Parallelism the vertex runs with");
        for (Explanation each : explanations.all()) {
            for (VertexView vertex : each.vertices()) {
                family.addMetric(labels(each, vertex), vertex.parallelism());
            }
        }
        return family;
    }

    private static GaugeMetricFamily vertexFamily(String metric, String help) {
        return new GaugeMetricFamily("sluice_autoscaler_vertex_" + metric, help, VERTEX);
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
