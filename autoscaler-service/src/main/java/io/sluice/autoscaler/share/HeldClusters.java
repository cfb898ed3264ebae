// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.process.metric.Series;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code sluice_autoscaler_cluster_held}, by cluster. */
public final class HeldClusters extends Collector {
    private final Supplier<? extends Map<String, Boolean>> held;

    public HeldClusters(Supplier<? extends Map<String, Boolean>> held) {
        this.held = held;
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily family = Series.gauges("sluice_autoscaler_cluster_held");
        held.get().forEach((cluster, own) -> family.addMetric(List.of(cluster), own ? 1 : 0));
        return List.of(family);
    }
}
