// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.model.Reason;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TracesTest {
    private static final Outcome DONE =
            new Outcome(Reason.JOB_RUNNING, true, false, Optional.empty());

    private final InMemorySpanExporter told = InMemorySpanExporter.create();
    private final Traces traces =
            new Traces(
                    Optional.of(
                            SdkTracerProvider.builder()
                                    .addSpanProcessor(SimpleSpanProcessor.create(told))
                                    .build()
                                    .get("test")));

    @Test
    void aPassIsASpanThatSaysWhatCameOfIt() {
        run((_, _, _) -> DONE);

        assertThat(told.getFinishedSpanItems())
                .singleElement()
                .satisfies(
                        span -> {
                            assertThat(span.getName()).isEqualTo("pass FlinkSessionJob");
                            assertThat(attribute(span, "k8s.namespace.name")).isEqualTo("shop");
                            assertThat(attribute(span, "sluice.resource.name")).isEqualTo("report");
                            assertThat(attribute(span, "sluice.reason")).isEqualTo("JobRunning");
                        });
    }

    @Test
    void theWaitForAJobManagerIsAPartOfThePass() {
        Waiting waiting = traces.ofJobManager(Waiting.direct());

        run(
                (_, _, _) -> {
                    waiting.during(() -> new Reply.Refused<>(500, "password=hunter2"));
                    return DONE;
                });

        SpanData wait = told.getFinishedSpanItems().getFirst();
        SpanData pass = told.getFinishedSpanItems().getLast();
        assertThat(wait.getParentSpanId()).isEqualTo(pass.getSpanId());
        assertThat(attribute(wait, "sluice.reply")).isEqualTo("Refused");
        assertThat(wait.toString()).doesNotContain("hunter2");
    }

    @Test
    void whatIsAskedOutsideOfAPassIsNoSpan() {
        traces.ofJobManager(Waiting.direct()).during(() -> new Reply.Ok<>("fine"));

        assertThat(told.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void aPassThatFailsIsAnErrorWithoutItsMessage() {
        assertThatThrownBy(
                        () ->
                                run(
                                        (_, _, _) -> {
                                            throw new IllegalStateException("password=hunter2");
                                        }))
                .isInstanceOf(IllegalStateException.class);

        SpanData span = told.getFinishedSpanItems().getFirst();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(span, "error.type")).isEqualTo(IllegalStateException.class.getName());
        assertThat(span.toString()).doesNotContain("hunter2");
    }

    @Test
    void nothingIsTracedUnlessTheEnvironmentAsks() {
        ResourceReconciler<FlinkSessionJob, RelatedResources> resourceReconciler =
                (_, _, _) -> DONE;
        Waiting waiting = Waiting.direct();

        for (Map<String, String> environment :
                Map.<String, Map<String, String>>of(
                                "nothing said", Map.of(),
                                "no exporter", Map.of("OTEL_TRACES_EXPORTER", "none"),
                                "switched off",
                                        Map.of(
                                                "OTEL_TRACES_EXPORTER", "otlp",
                                                "OTEL_SDK_DISABLED", "true"))
                        .values()) {
            Traces none = Traces.by(environment);
            assertThat(none.traced(resourceReconciler)).isSameAs(resourceReconciler);
            assertThat(none.ofJobManager(waiting)).isSameAs(waiting);
            assertThat(none.ofApiServer()).isEmpty();
        }
    }

    private void run(ResourceReconciler<FlinkSessionJob, RelatedResources> resourceReconciler) {
        var resource = new FlinkSessionJob();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("report")
                        .withUid("u-1")
                        .build());
        traces.traced(resourceReconciler)
                .reconcile(
                        resource,
                        new RelatedResources(Optional.empty(), Optional.empty()),
                        (_, _) -> StatusStore.Saved.KEPT);
    }

    private static String attribute(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }
}
