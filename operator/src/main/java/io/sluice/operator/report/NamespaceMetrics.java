// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Gauge;
import io.sluice.process.metric.Series;

/** Which of the namespaces that are to be served can be. */
public final class NamespaceMetrics {
    private final Gauge served;

    public NamespaceMetrics(Series series) {
        served = series.gauge("sluice_operator_namespace_served");
    }

    public void tell(String namespace, boolean isServed) {
        served.labels(namespace).set(isServed ? 1 : 0);
    }
}
