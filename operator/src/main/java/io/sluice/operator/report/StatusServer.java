// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import io.sluice.process.port.Connections;
import io.sluice.process.port.PlainServer;
import io.sluice.process.port.PlainServer.Answer;
import io.sluice.process.port.PlainServer.Page;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** {@code /healthz}, {@code /readyz} and {@code /metrics} on plain HTTP. */
public final class StatusServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private final PlainServer server;

    /**
     * @param wrong why the process had better be restarted, a line each
     */
    public StatusServer(
            int port,
            Supplier<List<String>> wrong,
            BooleanSupplier ready,
            CollectorRegistry registry,
            Connections connections)
            throws IOException {
        server =
                PlainServer.start(
                        port,
                        Map.of(
                                "/healthz", new Page.Probe(() -> health(wrong.get())),
                                "/readyz", new Page.Probe(() -> readiness(ready.getAsBoolean())),
                                "/metrics", new Page.Listing(() -> metrics(registry))),
                        connections);
    }

    private static Answer health(List<String> wrong) {
        return wrong.isEmpty()
                ? readiness(true)
                : Answer.plain(UNAVAILABLE, String.join("\n", wrong) + "\n");
    }

    private static Answer readiness(boolean ready) {
        return ready ? Answer.plain(OK, "OK") : Answer.plain(UNAVAILABLE, "NOT OK");
    }

    private static Answer metrics(CollectorRegistry registry) {
        StringWriter text = new StringWriter();
        try {
            TextFormat.write004(text, registry.metricFamilySamples());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Answer(OK, TextFormat.CONTENT_TYPE_004, text.toString());
    }

    @Override
    public void close() {
        server.close();
    }
}
