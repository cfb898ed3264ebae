// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.prometheus.client.Counter;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.process.metric.Series;
import java.util.function.Supplier;

/** Counts the answers of JobManagers that exceed a bound. */
public final class CountedAnswers implements Waiting {
    private final Counter tooLarge;

    public CountedAnswers(Series series) {
        tooLarge = series.counter("sluice_autoscaler_jobmanager_answers_too_large");
    }

    @Override
    public <T> T during(Supplier<T> wait) {
        T answer = wait.get();
        if (answer instanceof Reply.TooLarge<?>(var limit, _)) {
            tooLarge(limit);
        }
        return answer;
    }

    /** Counts an answer that was not used. */
    public void tooLarge(AnswerLimit limit) {
        tooLarge.labels(limit.word()).inc();
    }
}
