// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.prometheus.client.Counter;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.http.Waiting;
import java.util.function.Supplier;

/** Counts the answers of JobManagers that exceed a bound. */
record CountedAnswers(Counter tooLarge) implements Waiting {
    @Override
    public <T> T during(Supplier<T> wait) {
        T answer = wait.get();
        if (answer instanceof Reply.TooLarge<?>(var limit, _)) {
            tooLarge.labels(limit.word()).inc();
        }
        return answer;
    }
}
