// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.edge;

import io.prometheus.client.CollectorRegistry;
import io.sluice.process.access.Access;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.ManagementServer.Shown;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.port.Endpoint;
import io.sluice.process.port.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;

/** The process's HTTP side: probes, metrics, explanations as JSON and as a page. */
public final class Edge {
    private Edge() {}

    /** Port 0 takes a free one. */
    public static ManagementServer start(
            int port,
            CollectorRegistry registry,
            Responses answers,
            Health health,
            Access access,
            PortMetrics metrics) {
        Map<Endpoint, Page> pages = new EnumMap<>(Endpoint.class);
        pages.put(Endpoint.EXPLANATIONS, new Page.Listing(answers::overview));
        pages.put(Endpoint.EXPLANATION, new Page.Listing(answers::explain));
        for (PageFile file : PageFile.values()) {
            file.endpoints().forEach(each -> pages.put(each, new Page.Probe(file::answer)));
        }
        try {
            return ManagementServer.start(
                    port, health, new Shown(registry, pages), access, metrics);
        } catch (IOException taken) {
            throw new UncheckedIOException("port " + port + " can't be used", taken);
        }
    }
}
