// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.management;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.sluice.process.access.AccessOutcome;
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
    public static PortMetrics of(CollectorRegistry registry) {
        return new PortMetrics(
                Counter.build(
                                "sluice_connections_cut",
                                "Connections refused or closed by a limit of the port: full, rate,"
                                        + " request, idle or answer.")
                        .labelNames("port", "reason")
                        .register(registry),
                Gauge.build("sluice_connections", "Connections open at the port.")
                        .labelNames("port")
                        .register(registry),
                Counter.build(
                                "sluice_access_requests",
                                "Callers of metrics and explanations who have to say who they are,"
                                        + " by what came of it: authenticated, unauthenticated,"
                                        + " malformed, forbidden, throttled or unavailable.")
                        .labelNames("outcome")
                        .register(registry));
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
