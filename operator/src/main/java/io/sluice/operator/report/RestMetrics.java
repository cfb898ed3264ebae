// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Collector;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.process.metric.Series;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Times each wait for a JobManager, without what is done before and after it. */
public final class RestMetrics implements Waiting {
    private final Waiting around;
    private final LongSupplier nanos;
    private final Counter requests;
    private final Histogram seconds;
    private final Counter tooLarge;

    /**
     * @param nanos a clock that only goes forward
     */
    public RestMetrics(Series series, Waiting around, LongSupplier nanos) {
        this.around = around;
        this.nanos = nanos;
        requests = series.counter("sluice_operator_jobmanager_requests");
        seconds = series.seconds("sluice_operator_jobmanager_request_seconds");
        tooLarge = series.counter("sluice_operator_jobmanager_answers_too_large");
    }

    @Override
    public <T> T during(Supplier<T> wait) {
        return around.during(() -> timed(wait));
    }

    private <T> T timed(Supplier<T> wait) {
        long begin = nanos.getAsLong();
        T answer = wait.get();
        seconds.observe((nanos.getAsLong() - begin) / Collector.NANOSECONDS_PER_SECOND);
        if (answer instanceof Reply<?> reply) {
            requests.labels(word(reply)).inc();
            if (reply instanceof Reply.TooLarge<?>(var limit, _)) {
                tooLarge.labels(limit.word()).inc();
            }
        }
        return answer;
    }

    private static String word(Reply<?> reply) {
        return switch (reply) {
            case Reply.Ok<?> _ -> "ok";
            case Reply.JobUnknown<?> _ -> "job_unknown";
            case Reply.Refused<?> _ -> "refused";
            case Reply.Unreachable<?> _ -> "unreachable";
            case Reply.TooLarge<?> _ -> "too_large";
        };
    }
}
