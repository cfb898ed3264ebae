// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.Waiting;
import java.util.function.Supplier;

/** A span for each wait for a JobManager that belongs to a reconciliation, with what came of it. */
record JobManagerSpans(Tracer tracer, Waiting around) implements Waiting {
    @Override
    public <T> T during(Supplier<T> wait) {
        return Span.current().getSpanContext().isValid() ? traced(wait) : around.during(wait);
    }

    private <T> T traced(Supplier<T> wait) {
        Span span = tracer.spanBuilder("JobManager").setSpanKind(SpanKind.CLIENT).startSpan();
        try (Scope _ = span.makeCurrent()) {
            T answer = around.during(wait);
            if (answer instanceof Reply<?> reply) {
                span.setAttribute("sluice.reply", reply.getClass().getSimpleName());
            }
            return answer;
        } finally {
            span.end();
        }
    }
}
