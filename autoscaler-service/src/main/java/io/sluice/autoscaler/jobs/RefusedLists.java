// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.process.metric.Series;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code sluice_cached_namespaces_refused}, by kind. */
public final class RefusedLists extends Collector {
    private final Supplier<Map<String, Integer>> refused;

    public RefusedLists(Supplier<Map<String, Integer>> refused) {
        this.refused = refused;
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily family = Series.gauges("sluice_cached_namespaces_refused");
        refused.get().forEach((kind, lists) -> family.addMetric(List.of(kind), lists));
        return List.of(family);
    }
}
