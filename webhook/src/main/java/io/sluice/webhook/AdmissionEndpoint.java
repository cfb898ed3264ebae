// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.sluice.rules.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** One path: bounds what comes in, answers a verdict or a {@link Fault}, counts both. */
final class AdmissionEndpoint implements Handler {
    static final int LARGEST_BODY = 3 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(AdmissionEndpoint.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String path;
    private final Function<AdmissionRequest, Verdict> decide;
    private final WebhookMetrics metrics;
    private final Gate gate;

    AdmissionEndpoint(
            String path,
            Function<AdmissionRequest, Verdict> decide,
            WebhookMetrics metrics,
            Gate gate) {
        this.path = path;
        this.decide = decide;
        this.metrics = metrics;
        this.gate = gate;
    }

    @Override
    public void handle(Context context) {
        if (gate.isLeaving()) {
            context.header("Connection", "close");
        }
        if (!gate.tryEnter()) {
            context.header("Retry-After", "1");
            fail(context, Fault.BUSY, Optional.empty());
            return;
        }
        try {
            answer(context);
        } catch (IOException | RuntimeException unexpected) {
            fail(context, Fault.INTERNAL, Optional.of(unexpected));
        } finally {
            gate.exit();
        }
    }

    private void answer(Context context) throws IOException {
        long start = System.nanoTime();
        byte[] body;
        try (InputStream stream = context.bodyInputStream()) {
            body = stream.readNBytes(LARGEST_BODY + 1);
        }
        if (body.length > LARGEST_BODY) {
            fail(context, Fault.TOO_LARGE, Optional.empty());
            return;
        }
        Optional<AdmissionRequest> read = parse(body).flatMap(AdmissionRequest::read);
        if (read.isEmpty()) {
            fail(context, Fault.MALFORMED, Optional.empty());
            return;
        }
        AdmissionRequest request = read.get();
        Verdict verdict = decide.apply(request);
        byte[] answer = JSON.writeValueAsBytes(AdmissionAnswer.of(request, verdict));
        context.contentType("application/json").result(answer);
        metrics.answered(path, request, verdict, System.nanoTime() - start);
        tell(request, verdict);
    }

    private static Optional<JsonNode> parse(byte[] body) throws IOException {
        try {
            return Optional.ofNullable(JSON.readTree(body));
        } catch (JsonProcessingException notJson) {
            return Optional.empty();
        }
    }

    private void fail(Context context, Fault fault, Optional<Exception> cause) {
        String id = UUID.randomUUID().toString();
        metrics.fault(fault);
        LoggingEventBuilder line =
                LOG.atWarn()
                        .addKeyValue("id", id)
                        .addKeyValue("path", path)
                        .addKeyValue("fault", fault.label());
        cause.map(line::setCause).orElse(line).log("no verdict");
        context.status(fault.status())
                .contentType("application/json")
                .result(
                        JSON.createObjectNode()
                                .put("error", fault.text())
                                .put("id", id)
                                .toString());
    }

    /** Rules only, no values: a spec may hold secrets. */
    private void tell(AdmissionRequest request, Verdict verdict) {
        var line =
                LOG.atLevel(verdict instanceof Verdict.Refused ? Level.INFO : Level.DEBUG)
                        .addKeyValue("path", path)
                        .addKeyValue("uid", request.uid())
                        .addKeyValue("operation", request.operation().wire())
                        .addKeyValue("kind", request.kind())
                        .addKeyValue("namespace", request.namespace())
                        .addKeyValue("name", request.name())
                        .addKeyValue("dryRun", request.dryRun());
        if (verdict instanceof Verdict.Refused(var violations, _)) {
            line =
                    line.addKeyValue(
                            "rules", violations.stream().map(Violation::rule).distinct().toList());
        }
        line.log(verdict.word());
    }
}
