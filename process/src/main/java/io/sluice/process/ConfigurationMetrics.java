// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
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
        var info =
                new GaugeMetricFamily(
                        "sluice_configuration_info",
                        "Constant 1, with the fingerprint of the configuration in use.",
                        List.of("fingerprint"));
        if (configuration.isRead()) {
            info.addMetric(List.of(configuration.get().fingerprint()), 1);
        }
        return List.of(
                info,
                new GaugeMetricFamily(
                        "sluice_configuration_good",
                        "1 if the configuration's files can be used as they are now.",
                        configuration.isGood() ? 1 : 0));
    }
}
