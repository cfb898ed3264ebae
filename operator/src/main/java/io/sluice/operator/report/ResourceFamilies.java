// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.operator.report.ResourceMetrics.Beside;
import io.sluice.operator.report.ResourceMetrics.Seen;
import io.sluice.process.metric.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Shows what is known of all resources as Prometheus metrics. */
record ResourceFamilies(
        Map<ResourceKey, Seen> resources, Beside beside, Map<ResourceKey, PairFlags> pairs) {
    static List<MetricFamilySamples> of(Map<ResourceKey, Seen> resources, Beside beside) {
        ResourceFamilies families = new ResourceFamilies(resources, beside, beside.pairs().get());
        return Stream.of(
                        families.byNamespace(),
                        families.gauges(),
                        families.savepoints(),
                        families.counters())
                .flatMap(List::stream)
                .toList();
    }

    private List<MetricFamilySamples> byNamespace() {
        return List.of(
                counted(
                        "sluice_resources",
                        each ->
                                Optional.of(
                                        List.of(
                                                each.getKey().kind(),
                                                each.getKey().namespace(),
                                                facts(each).lifecycle().wire()))),
                counted(
                        "sluice_jobmanagers",
                        each ->
                                facts(each)
                                        .jobManager()
                                        .map(
                                                found ->
                                                        List.of(
                                                                each.getKey().namespace(),
                                                                found.state()))),
                counted(
                        "sluice_flink_versions",
                        each ->
                                facts(each)
                                        .jobManager()
                                        .map(
                                                found ->
                                                        List.of(
                                                                each.getKey().namespace(),
                                                                found.version(),
                                                                found.minor()))),
                added("sluice_namespace_cpu_cores", each -> facts(each).cpu()),
                added("sluice_namespace_memory_bytes", each -> facts(each).memory()),
                added(
                        "sluice_namespace_state_bytes",
                        each ->
                                beside.stateBytes()
                                        .apply(each.getValue().uid())
                                        .map(Long::doubleValue)));
    }

    private List<MetricFamilySamples> gauges() {
        return List.of(
                word("sluice_resource_lifecycle", facts -> Optional.of(facts.lifecycle().wire())),
                word("sluice_resource_job_state", ResourceFacts::job),
                withPairs(
                        "sluice_resource_ready",
                        facts -> facts.ready() ? 1 : 0,
                        flags -> flags.ready() ? 1 : 0),
                withPairs(
                        "sluice_resource_stalled",
                        facts -> facts.stalled() ? 1 : 0,
                        flags -> flags.stalled() ? 1 : 0),
                withPairs(
                        "sluice_resource_generations_behind",
                        ResourceFacts::behind,
                        PairFlags::behind),
                each("sluice_resource_cpu_cores", ResourceFacts::cpu),
                each("sluice_resource_memory_bytes", ResourceFacts::memory));
    }

    private List<MetricFamilySamples> savepoints() {
        GaugeMetricFamily last = Series.gauges("sluice_last_savepoint_timestamp_seconds");
        resources.forEach(
                (key, seen) ->
                        Stream.of(
                                        seen.facts().savepoints().last(),
                                        beside.lastSavepoint().apply(key))
                                .flatMap(Optional::stream)
                                .max(Comparator.naturalOrder())
                                .ifPresent(
                                        at ->
                                                last.addMetric(
                                                        labels(key), at.toEpochMilli() / 1000.0)));
        return List.of(
                last,
                each(
                        "sluice_last_savepoint_failed",
                        facts -> facts.savepoints().failed().map(it -> it ? 1.0 : 0.0)),
                each(
                        "sluice_savepoint_interval_seconds",
                        facts -> facts.savepoints().interval().map(it -> it.toMillis() / 1000.0)));
    }

    private List<MetricFamilySamples> counters() {
        return List.of(
                counter("sluice_resource_passes", ResourceCounts::passes),
                counter("sluice_resource_failures", ResourceCounts::failures),
                counter("sluice_resource_retries", ResourceCounts::retries),
                events());
    }

    private MetricFamilySamples counted(
            String name, Function<Map.Entry<ResourceKey, Seen>, Optional<List<String>>> labels) {
        Map<List<String>, Integer> counts = new HashMap<>();
        for (Map.Entry<ResourceKey, Seen> each : resources.entrySet()) {
            labels.apply(each).ifPresent(found -> counts.merge(found, 1, Integer::sum));
        }
        GaugeMetricFamily family = Series.gauges(name);
        counts.forEach(family::addMetric);
        return family;
    }

    private MetricFamilySamples added(
            String name, Function<Map.Entry<ResourceKey, Seen>, Optional<Double>> value) {
        Map<String, Double> sums = new TreeMap<>();
        for (Map.Entry<ResourceKey, Seen> each : resources.entrySet()) {
            value.apply(each)
                    .ifPresent(
                            number -> sums.merge(each.getKey().namespace(), number, Double::sum));
        }
        GaugeMetricFamily family = Series.gauges(name);
        sums.forEach((namespace, sum) -> family.addMetric(List.of(namespace), sum));
        return family;
    }

    private MetricFamilySamples withPairs(
            String name,
            ToDoubleFunction<ResourceFacts> value,
            ToDoubleFunction<PairFlags> ofPair) {
        GaugeMetricFamily family = each(name, facts -> Optional.of(value.applyAsDouble(facts)));
        pairs.forEach((key, flags) -> family.addMetric(labels(key), ofPair.applyAsDouble(flags)));
        return family;
    }

    private GaugeMetricFamily each(String name, Function<ResourceFacts, Optional<Double>> value) {
        GaugeMetricFamily family = Series.gauges(name);
        resources.forEach(
                (key, seen) ->
                        value.apply(seen.facts())
                                .ifPresent(number -> family.addMetric(labels(key), number)));
        return family;
    }

    private MetricFamilySamples word(String name, Function<ResourceFacts, Optional<String>> value) {
        GaugeMetricFamily family = Series.gauges(name);
        resources.forEach(
                (key, seen) ->
                        value.apply(seen.facts())
                                .ifPresent(word -> family.addMetric(labels(key, word), 1)));
        return family;
    }

    private MetricFamilySamples counter(String name, ToDoubleFunction<ResourceCounts> value) {
        CounterMetricFamily family = Series.counters(name);
        resources.forEach(
                (key, seen) -> family.addMetric(labels(key), value.applyAsDouble(seen.counts())));
        return family;
    }

    private MetricFamilySamples events() {
        CounterMetricFamily family = Series.counters("sluice_resource_events");
        resources.forEach(
                (key, seen) ->
                        seen.counts()
                                .events()
                                .forEach(
                                        (action, count) ->
                                                family.addMetric(labels(key, action), count)));
        return family;
    }

    private static ResourceFacts facts(Map.Entry<ResourceKey, Seen> each) {
        return each.getValue().facts();
    }

    private static List<String> labels(ResourceKey key, String... more) {
        List<String> labels = new ArrayList<>(List.of(key.kind(), key.namespace(), key.name()));
        labels.addAll(List.of(more));
        return labels;
    }
}
