// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Receives OTLP over HTTP as a collector does, and keeps it. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final List<ExportTraceServiceRequest> received = new CopyOnWriteArrayList<>();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::receive);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return received.stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    /** All that was said, as text. */
    String text() {
        return received.toString();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            received.add(ExportTraceServiceRequest.parseFrom(exchange.getRequestBody()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
