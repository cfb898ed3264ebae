// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.cache;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.process.metric.Series;
import java.util.List;

/** {@code sluice_cached_resources} and {@code sluice_cached_namespaces_refused}, by kind. */
public final class CacheSizes extends Collector {
    private final List<ResourceCache> caches;

    public CacheSizes(List<ResourceCache> caches) {
        this.caches = List.copyOf(caches);
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily family = Series.gauges("sluice_cached_resources");
        caches.forEach(cache -> family.addMetric(List.of(cache.kind().wire()), cache.size()));
        GaugeMetricFamily refused = Series.gauges("sluice_cached_namespaces_refused");
        caches.forEach(cache -> refused.addMetric(List.of(cache.kind().wire()), cache.refused()));
        return List.of(family, refused);
    }
}
