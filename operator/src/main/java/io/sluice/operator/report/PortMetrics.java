// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.sluice.process.port.Connections;
import io.sluice.process.port.PortLimits;

/** The connections of the port for probes and metrics, and what its limits close. */
public final class PortMetrics {
    private static final String PORT = "http";

    private final Connections connections;

    public PortMetrics(Series series) {
        Counter cuts = series.counter("sluice_connections_cut");
        Gauge open = series.gauge("sluice_connections");
        connections =
                new Connections(
                        PortLimits.MANAGEMENT,
                        cut -> cuts.labels(PORT, cut.label()).inc(),
                        System::nanoTime);
        open.setChild(
                new Gauge.Child() {
                    @Override
                    public double get() {
                        return connections.open();
                    }
                },
                PORT);
    }

    public Connections connections() {
        return connections;
    }
}
