// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.management;

import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.sluice.process.access.AccessOutcome;
import io.sluice.process.metric.Series;
import io.sluice.process.port.Connections;
import io.sluice.process.port.PortLimits;

/**
 * What a process counts of its ports.
 *
 * @param cuts connections that a limit closes, by port and reason
 * @param open connections that are open, by port
 * @param access requests for what not everybody may read, by outcome
 */
public record PortMetrics(Counter cuts, Gauge open, Counter access) {
    public static PortMetrics of(Series series) {
        return new PortMetrics(
                series.counter("sluice_connections_cut"),
                series.gauge("sluice_connections"),
                series.counter("sluice_access_requests"));
    }

    /** The connections of one port, which are counted from now on. */
    public Connections connections(String port, PortLimits limits) {
        var connections =
                new Connections(
                        limits, cut -> cuts.labels(port, cut.label()).inc(), System::nanoTime);
        open.setChild(
                new Gauge.Child() {
                    @Override
                    public double get() {
                        return connections.open();
                    }
                },
                port);
        return connections;
    }

    public void count(AccessOutcome outcome) {
        access.labels(outcome.label()).inc();
    }
}
