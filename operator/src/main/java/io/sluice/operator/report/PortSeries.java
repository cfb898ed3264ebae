// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.sluice.process.management.PortMetrics;

/** What is counted of the port for probes and metrics. */
public final class PortSeries {
    private PortSeries() {}

    public static PortMetrics of(Series series) {
        return new PortMetrics(
                series.counter("sluice_connections_cut"),
                series.gauge("sluice_connections"),
                series.counter("sluice_access_requests"));
    }
}
