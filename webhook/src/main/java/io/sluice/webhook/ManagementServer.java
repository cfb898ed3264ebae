// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code /healthz}, {@code /readyz} and {@code /metrics} in plain HTTP, for the kubelet and
 * Prometheus.
 */
final class ManagementServer implements AutoCloseable {
    private static final int OK = 200;

    private final HttpServer server;

    private ManagementServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Port 0 takes a free one.
     *
     * @param missing what keeps the process from being ready, a line each
     */
    static ManagementServer start(
            int port,
            BooleanSupplier alive,
            Supplier<List<String>> missing,
            CollectorRegistry metrics)
            throws IOException {
        var server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/healthz", exchange -> health(exchange, alive.getAsBoolean()));
        server.createContext("/readyz", exchange -> readiness(exchange, missing.get()));
        server.createContext("/metrics", exchange -> metrics(exchange, metrics));
        server.start();
        return new ManagementServer(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void health(HttpExchange exchange, boolean alive) throws IOException {
        send(exchange, alive ? OK : 500, "text/plain", alive ? "ok\n" : "not ok\n");
    }

    private static void readiness(HttpExchange exchange, List<String> missing) throws IOException {
        if (missing.isEmpty()) {
            send(exchange, OK, "text/plain", "ok\n");
        } else {
            send(exchange, 503, "text/plain", String.join("\n", missing) + "\n");
        }
    }

    private static void metrics(HttpExchange exchange, CollectorRegistry registry)
            throws IOException {
        String type = TextFormat.CONTENT_TYPE_004;
        var text = new StringWriter();
        TextFormat.writeFormat(type, text, registry.metricFamilySamples());
        send(exchange, OK, type, text.toString());
    }

    private static void send(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
