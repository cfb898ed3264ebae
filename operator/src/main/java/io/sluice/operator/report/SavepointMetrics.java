// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.process.metric.Series;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How far the savepoints and checkpoints are that Flink makes, by the resource that has asked. */
final class SavepointMetrics extends Collector {
    private final ConcurrentMap<ResourceKey, Double> ratios = new ConcurrentHashMap<>();

    /**
     * What a reconciliation left.
     *
     * @param ratio the share of the subtasks that have acknowledged it; empty if none is made
     */
    void saw(ResourceKey key, Optional<Double> ratio) {
        ratio.ifPresentOrElse(it -> ratios.put(key, it), () -> ratios.remove(key));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily family = Series.gauges("sluice_savepoint_acknowledged_ratio");
        ratios.forEach(
                (key, ratio) ->
                        family.addMetric(List.of(key.kind(), key.namespace(), key.name()), ratio));
        return List.of(family);
    }
}
