// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.metric;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.process.LiveConfiguration;
import java.util.List;

/**
 * Which configuration a process uses, by the names that all processes give it, so that a difference
 * between them shows.
 */
public final class ConfigurationMetrics extends Collector {
    private final LiveConfiguration configuration;

    public ConfigurationMetrics(LiveConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily info = Series.gauges("sluice_configuration_info");
        if (configuration.isRead()) {
            info.addMetric(List.of(configuration.get().fingerprint()), 1);
        }
        GaugeMetricFamily good = Series.gauges("sluice_configuration_good");
        good.addMetric(List.of(), configuration.isGood() ? 1 : 0);
        return List.of(info, good);
    }
}
