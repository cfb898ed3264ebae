// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.sluice.rules.review.Violation;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionAnswer;
import io.sluice.webhook.admission.AdmissionRequest;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.BodyParts;
import io.sluice.webhook.admission.LargeReview;
import io.sluice.webhook.admission.Verdict;
import io.sluice.webhook.metric.WebhookMetrics;
import io.sluice.webhook.readiness.NotReady;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** One path: answers a received body by a verdict or a {@link Fault}, and counts both. */
final class AdmissionEndpoint implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionEndpoint.class);
    private static final ObjectWriter JSON = new ObjectMapper().writer();

    private final String path;
    private final Function<byte[], Optional<AdmissionVerdict>> judge;
    private final Function<AdmissionVerdict, Verdict> answer;
    private final WebhookMetrics metrics;
    private final Faults faults;

    AdmissionEndpoint(
            String path,
            Function<byte[], Optional<AdmissionVerdict>> judge,
            Function<AdmissionVerdict, Verdict> answer,
            WebhookMetrics metrics,
            Faults faults) {
        this.path = path;
        this.judge = judge;
        this.answer = answer;
        this.metrics = metrics;
        this.faults = faults;
    }

    @Override
    public void handle(Context context) {
        byte[] body = WholeBody.of(context.req());
        try {
            answer(context, body, WholeBody.parts(context.req()));
        } catch (NotReady _) {
            fail(context, Fault.NOT_READY, Optional.empty());
        } catch (IOException | RuntimeException | StackOverflowError unexpected) {
            fail(context, Fault.INTERNAL, Optional.of(unexpected));
        }
    }

    private void answer(Context context, byte[] body, int parts) throws IOException {
        long start = System.nanoTime();
        Optional<AdmissionVerdict> judged = judged(body, parts);
        if (judged.isEmpty()) {
            boolean isTooLarge = parts > BodyParts.MOST;
            fail(context, isTooLarge ? Fault.TOO_LARGE : Fault.MALFORMED, Optional.empty());
            return;
        }
        AdmissionRequest request = judged.get().request();
        Verdict verdict = answer.apply(judged.get());
        byte[] text = JSON.writeValueAsBytes(AdmissionAnswer.of(request, verdict));
        context.contentType("application/json").result(text);
        count(judged.get(), verdict, System.nanoTime() - start);
        tell(request, verdict);
    }

    /** What can't be read is refused by the field that is to be made smaller. */
    private Optional<AdmissionVerdict> judged(byte[] body, int parts) {
        if (LargeReview.isLarge(parts)) {
            return switch (LargeReview.find(body)) {
                case LargeReview.Reviewable _ -> judge.apply(body);
                case LargeReview.Answered(var judgement) -> Optional.of(judgement);
                case LargeReview.Unanswerable _ -> Optional.empty();
            };
        }
        return judge.apply(body)
                .or(
                        () ->
                                LargeReview.find(body) instanceof LargeReview.Answered(var refusal)
                                        ? Optional.of(refusal)
                                        : Optional.empty());
    }

    /** The process's own reviews are none that anybody asked for. */
    private void count(AdmissionVerdict judgement, Verdict verdict, long nanos) {
        if (path.equals(SelfReview.PATH)) {
            return;
        }
        AdmissionRequest request = judgement.request();
        List<String> rules =
                verdict instanceof Verdict.Refused(var violations, _)
                        ? violations.stream().map(Violation::rule).toList()
                        : List.of();
        metrics.answered(
                new WebhookMetrics.Answered(
                        path,
                        Admission.label(request.kind()),
                        request.operation().wire(),
                        verdict.word(),
                        judgement.remembered(),
                        rules,
                        nanos));
    }

    private void fail(Context context, Fault fault, Optional<Throwable> cause) {
        context.status(fault.status())
                .contentType("application/json")
                .result(faults.tell(path, fault, cause));
    }

    /** Rules only, no values: a spec may hold secrets. */
    private void tell(AdmissionRequest request, Verdict verdict) {
        var level = verdict instanceof Verdict.Refused ? Level.INFO : Level.DEBUG;
        if (!LOG.isEnabledForLevel(level)) {
            return;
        }
        var line =
                LOG.atLevel(level)
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
