// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.List;

/** {@code sluice_cached_resources} and {@code sluice_cached_namespaces_refused}, by kind. */
final class CacheSizes extends Collector {
    private final List<ResourceCache> caches;

    CacheSizes(List<ResourceCache> caches) {
        this.caches = List.copyOf(caches);
    }

    @Override
    public List<MetricFamilySamples> collect() {
        var family =
                new GaugeMetricFamily(
                        "sluice_cached_resources",
                        "Resources held for rules that look at others.",
                        List.of("kind"));
        caches.forEach(cache -> family.addMetric(List.of(cache.kind().wire()), cache.size()));
        var refused =
                new GaugeMetricFamily(
                        "sluice_cached_namespaces_refused",
                        "Lists of namespaces that the API server refuses, which are tried again.",
                        List.of("kind"));
        caches.forEach(cache -> refused.addMetric(List.of(cache.kind().wire()), cache.refused()));
        return List.of(family, refused);
    }
}
