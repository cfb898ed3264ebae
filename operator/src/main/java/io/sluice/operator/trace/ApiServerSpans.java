// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.trace;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.sluice.operator.report.UnderWay;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A span for each request to the API server that belongs to a reconciliation, named and described
 * by OpenTelemetry's conventions for HTTP clients. What is sent and answered is not in it.
 */
final class ApiServerSpans implements Interceptor {
    private final Tracer tracer;
    private final UnderWay<Span> underWay = new UnderWay<>();

    ApiServerSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** See {@link io.sluice.operator.report.ClientMetrics#consumer}. */
    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        if (Span.current().getSpanContext().isValid()) {
            underWay.begin(
                    request,
                    tracer.spanBuilder(request.method())
                            .setSpanKind(SpanKind.CLIENT)
                            .setAttribute("http.request.method", request.method())
                            .setAttribute("server.address", request.uri().getHost())
                            .setAttribute("url.path", request.uri().getPath())
                            .startSpan());
        }
        return consumer;
    }

    @Override
    public void after(
            HttpRequest request,
            HttpResponse<?> response,
            AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        underWay.end(request).ifPresent(span -> end(span, response.code()));
    }

    private static void end(Span span, int code) {
        span.setAttribute("http.response.status_code", code);
        if (code >= 400) {
            span.setAttribute("error.type", Integer.toString(code)).setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
