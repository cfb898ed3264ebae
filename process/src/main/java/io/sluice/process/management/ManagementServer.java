// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.management;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.sluice.process.access.Access;
import io.sluice.process.access.Permission;
import io.sluice.process.port.Endpoint;
import io.sluice.process.port.Page;
import io.sluice.process.port.PlainServer;
import io.sluice.process.port.PortLimits;
import io.sluice.process.port.Response;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code /healthz}, {@code /readyz}, {@code /metrics} and what else a process shows, alike for all
 * three processes. Probes are answered to everybody; metrics to those who may {@code get} the path
 * {@code /metrics}, if callers have to say who they are.
 */
public final class ManagementServer implements AutoCloseable {
    private static final Permission METRICS = new Permission.Path(Endpoint.METRICS.path());

    private final PlainServer server;

    private ManagementServer(PlainServer server) {
        this.server = server;
    }

    /**
     * Whether the process is well.
     *
     * @param wrong why it had better be restarted, a line each
     * @param missing what keeps it from being ready, a line each
     */
    public record Health(Supplier<List<String>> wrong, Supplier<List<String>> missing) {}

    /**
     * What is shown of a process.
     *
     * @param more what it shows beside its health and its metrics
     */
    public record Shown(CollectorRegistry registry, Map<Endpoint, Page> more) {
        public Shown {
            more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
        }

        public static Shown of(CollectorRegistry registry) {
            return new Shown(registry, Map.of());
        }
    }

    /** Port 0 takes a free one. */
    public static ManagementServer start(
            int port, Health health, Shown shown, Access access, PortMetrics metrics)
            throws IOException {
        Map<Endpoint, Page> pages = new EnumMap<>(Endpoint.class);
        pages.putAll(shown.more());
        pages.put(Endpoint.HEALTH, new Page.Probe(() -> verdict(health.wrong().get())));
        pages.put(Endpoint.READINESS, new Page.Probe(() -> verdict(health.missing().get())));
        pages.put(
                Endpoint.METRICS,
                new Page.Shared(
                        request -> access.require(access.caller(request), METRICS),
                        () -> metrics(shown.registry())));
        return new ManagementServer(
                PlainServer.start(
                        port, byPath(pages), metrics.connections("http", PortLimits.MANAGEMENT)));
    }

    private static Map<String, Page> byPath(Map<Endpoint, Page> pages) {
        Map<String, Page> byPath = new HashMap<>();
        pages.forEach((endpoint, page) -> byPath.put(endpoint.path(), page));
        return byPath;
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }

    private static Response verdict(List<String> lines) {
        return lines.isEmpty()
                ? Response.plain(200, "ok\n")
                : Response.plain(503, String.join("\n", lines) + "\n");
    }

    private static Response metrics(CollectorRegistry registry) {
        StringWriter text = new StringWriter();
        try {
            TextFormat.write004(text, registry.metricFamilySamples());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Response.of(TextFormat.CONTENT_TYPE_004, text.toString());
    }
}
