// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.operator.canary.Canaries;
import io.sluice.process.metric.Series;
import java.util.List;

/** How long each canary's last change took to be seen; none while it is not. */
public final class CanaryMetrics extends Collector {
    private static final double MILLIS = 1000.0;
    private final Canaries canaries;

    public CanaryMetrics(Canaries canaries) {
        this.canaries = canaries;
    }

    @Override
    public List<MetricFamilySamples> collect() {
        GaugeMetricFamily family = Series.gauges("sluice_operator_canary_seconds");
        for (Canaries.CanaryRun each : canaries.runs()) {
            each.took()
                    .ifPresent(
                            took ->
                                    family.addMetric(
                                            List.of(each.namespace(), each.name()),
                                            took.toMillis() / MILLIS));
        }
        return List.of(family);
    }
}
