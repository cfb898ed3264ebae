// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.trace;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an OpenTelemetry collector is told of the operator's reconciliations: nothing, unless the
 * environment says where to.
 *
 * @param tracer empty if nobody is told
 */
public record Traces(Optional<Tracer> tracer) {
    private static final String SCOPE = "io.sluice.operator";

    /** What differs from OpenTelemetry's own defaults; the environment goes before it. */
    private static final Map<String, String> DEFAULTS =
            Map.of(
                    "otel.service.name", "sluice-operator",
                    "otel.exporter.otlp.protocol", "http/protobuf",
                    "otel.metrics.exporter", "none",
                    "otel.logs.exporter", "none");

    /**
     * By OpenTelemetry's own variables: there are traces where {@code OTEL_TRACES_EXPORTER} is
     * {@code otlp}, which go to {@code OTEL_EXPORTER_OTLP_ENDPOINT}; {@code OTEL_TRACES_SAMPLER},
     * {@code OTEL_RESOURCE_ATTRIBUTES} and the like are heeded.
     */
    public static Traces by(Map<String, String> environment) {
        boolean asked =
                !environment.getOrDefault("OTEL_TRACES_EXPORTER", "none").equals("none")
                        && !environment.getOrDefault("OTEL_SDK_DISABLED", "false").equals("true");
        return asked ? exported() : new Traces(Optional.empty());
    }

    private static Traces exported() {
        return new Traces(
                Optional.of(
                        AutoConfiguredOpenTelemetrySdk.builder()
                                .addPropertiesSupplier(() -> DEFAULTS)
                                .build()
                                .getOpenTelemetrySdk()
                                .getTracer(SCOPE)));
    }

    /** The same reconciliations, each a span. */
    public <R extends HasMetadata, C> ResourceReconciler<R, C> traced(
            ResourceReconciler<R, C> inner) {
        return tracer.<ResourceReconciler<R, C>>map(
                        to ->
                                (resource, cached, store) ->
                                        traced(
                                                to,
                                                resource,
                                                () -> inner.reconcile(resource, cached, store)))
                .orElse(inner);
    }

    /**
     * For the API server's client: what a reconciliation asks of it are spans of the
     * reconciliation.
     */
    public Optional<Interceptor> ofApiServer() {
        return tracer.map(ApiServerSpans::new);
    }

    /**
     * What a reconciliation asks of a JobManager are spans of the reconciliation, the wait for a
     * turn included.
     */
    public Waiting ofJobManager(Waiting around) {
        return tracer.<Waiting>map(to -> new JobManagerSpans(to, around)).orElse(around);
    }

    /** A message of what was thrown may quote a specification: it is left out. */
    private static Outcome traced(
            Tracer tracer, HasMetadata resource, Supplier<Outcome> reconciliation) {
        var metadata = resource.getMetadata();
        Span span =
                tracer.spanBuilder("pass " + resource.getKind())
                        .setAttribute("k8s.namespace.name", metadata.getNamespace())
                        .setAttribute("sluice.resource.name", metadata.getName())
                        .setAttribute("sluice.resource.uid", metadata.getUid())
                        .startSpan();
        try (Scope _ = span.makeCurrent()) {
            Outcome outcome = reconciliation.get();
            span.setAttribute("sluice.reason", outcome.reason().wire());
            span.setAttribute("sluice.status.written", outcome.wroteStatus());
            return outcome;
        } catch (RuntimeException failed) {
            span.setAttribute("error.type", failed.getClass().getName());
            span.setStatus(StatusCode.ERROR);
            throw failed;
        } finally {
            span.end();
        }
    }
}
