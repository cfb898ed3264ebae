// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.client.CollectorRegistry;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.process.metric.Series;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestMetricsTest {
    private final CollectorRegistry registry = new CollectorRegistry(true);
    private final AtomicLong nanos = new AtomicLong();
    private final RestMetrics metrics =
            new RestMetrics(new Series(registry), Waiting.direct(), nanos::get);

    @Test
    void timesTheWaitForAnAnswer() {
        metrics.during(
                () -> {
                    nanos.addAndGet(500_000_000L);
                    return new Reply.Ok<>("fine");
                });

        assertThat(registry.getSampleValue("sluice_operator_jobmanager_request_seconds_sum"))
                .isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource({"ok", "job_unknown", "refused", "unreachable", "too_large"})
    void countsAnswersByWhatTheyAre(String answer) {
        metrics.during(() -> reply(answer));

        assertThat(
                        registry.getSampleValue(
                                "sluice_operator_jobmanager_requests_total",
                                new String[] {"answer"},
                                new String[] {answer}))
                .isEqualTo(1.0);
    }

    private static Reply<String> reply(String answer) {
        return switch (answer) {
            case "ok" -> new Reply.Ok<>("fine");
            case "job_unknown" -> new Reply.JobUnknown<>();
            case "refused" -> new Reply.Refused<>(500, "no");
            case "too_large" -> new Reply.TooLarge<>(AnswerLimit.JOBS, "more");
            default -> new Reply.Unreachable<>("late");
        };
    }
}
