// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** {@code /healthz}, {@code /readyz} and {@code /metrics} on plain HTTP. */
public final class StatusServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private final HttpServer server;

    public StatusServer(
            int port, BooleanSupplier healthy, BooleanSupplier ready, CollectorRegistry registry)
            throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/healthz", exchange -> verdict(exchange, healthy.getAsBoolean()));
        server.createContext("/readyz", exchange -> verdict(exchange, ready.getAsBoolean()));
        server.createContext("/metrics", exchange -> metrics(exchange, registry));
        server.start();
    }

    private static void verdict(HttpExchange exchange, boolean good) throws IOException {
        answer(
                exchange,
                good ? OK : UNAVAILABLE,
                "text/plain; charset=utf-8",
                good ? "OK" : "NOT OK");
    }

    private static void metrics(HttpExchange exchange, CollectorRegistry registry)
            throws IOException {
        StringWriter text = new StringWriter();
        TextFormat.write004(text, registry.metricFamilySamples());
        answer(exchange, OK, TextFormat.CONTENT_TYPE_004, text.toString());
    }

    private static void answer(HttpExchange exchange, int code, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
