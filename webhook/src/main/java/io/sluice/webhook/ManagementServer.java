// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.prometheus.client.exporter.common.TextFormat;
import io.sluice.process.port.Connections;
import io.sluice.process.port.PlainServer;
import io.sluice.process.port.PlainServer.Answer;
import io.sluice.process.port.PlainServer.Page;
import io.sluice.process.port.PortLimits;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code /healthz}, {@code /readyz} and {@code /metrics} in plain HTTP, for the kubelet and
 * Prometheus.
 */
final class ManagementServer implements AutoCloseable {
    private static final int OK = 200;

    private final PlainServer server;

    private ManagementServer(PlainServer server) {
        this.server = server;
    }

    /**
     * Port 0 takes a free one.
     *
     * @param wrong why the process had better be restarted, a line each
     * @param missing what keeps the process from being ready, a line each
     */
    static ManagementServer start(
            int port,
            Supplier<List<String>> wrong,
            Supplier<List<String>> missing,
            WebhookMetrics metrics)
            throws IOException {
        var connections =
                new Connections(
                        PortLimits.MANAGEMENT, cut -> metrics.cut("http", cut), System::nanoTime);
        metrics.connections("http", connections);
        return new ManagementServer(
                PlainServer.start(
                        port,
                        Map.of(
                                "/healthz", new Page.Probe(() -> verdict(500, wrong.get())),
                                "/readyz", new Page.Probe(() -> verdict(503, missing.get())),
                                "/metrics", new Page.Listing(() -> text(metrics))),
                        connections));
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }

    private static Answer verdict(int otherwise, List<String> lines) {
        return lines.isEmpty()
                ? Answer.plain(OK, "ok\n")
                : Answer.plain(otherwise, String.join("\n", lines) + "\n");
    }

    private static Answer text(WebhookMetrics metrics) {
        String type = TextFormat.CONTENT_TYPE_004;
        var text = new StringWriter();
        try {
            TextFormat.writeFormat(type, text, metrics.registry().metricFamilySamples());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Answer(OK, type, text.toString());
    }
}
