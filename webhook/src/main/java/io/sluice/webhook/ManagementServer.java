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
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * {@code /healthz}, {@code /readyz} and {@code /metrics} in plain HTTP, for the kubelet and
 * Prometheus.
 */
final class ManagementServer implements AutoCloseable {
    private final HttpServer server;

    private ManagementServer(HttpServer server) {
        this.server = server;
    }

    /** Port 0 takes a free one. */
    static ManagementServer start(
            int port, BooleanSupplier alive, BooleanSupplier ready, CollectorRegistry metrics)
            throws IOException {
        var server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/healthz", exchange -> word(exchange, alive.getAsBoolean(), 500));
        server.createContext("/readyz", exchange -> word(exchange, ready.getAsBoolean(), 503));
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

    private static void word(HttpExchange exchange, boolean good, int otherwise)
            throws IOException {
        send(exchange, good ? 200 : otherwise, "text/plain", good ? "ok\n" : "not ok\n");
    }

    private static void metrics(HttpExchange exchange, CollectorRegistry registry)
            throws IOException {
        String type = TextFormat.CONTENT_TYPE_004;
        var text = new StringWriter();
        TextFormat.writeFormat(type, text, registry.metricFamilySamples());
        send(exchange, 200, type, text.toString());
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
