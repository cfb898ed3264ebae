// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;

/**
 * How long and how much a JobManager may answer: all limits there are.
 *
 * @param connect until the connection stands
 * @param request for the whole exchange, its body included
 * @param answers how much is read of what it answers
 */
public record HttpLimits(Duration connect, Duration request, AnswerLimits answers) {
    public static final HttpLimits DEFAULT =
            new HttpLimits(Duration.ofSeconds(3), Duration.ofSeconds(10), AnswerLimits.DEFAULT);

    public HttpLimits {
        if (!connect.isPositive() || !request.isPositive()) {
            throw new IllegalArgumentException(
                    "limits must be positive, not " + connect + " and " + request);
        }
    }

    /** These limits with another time for the whole exchange. */
    public HttpLimits withRequest(Duration time) {
        return new HttpLimits(connect, time, answers);
    }

    /** These limits with others for what is answered. */
    public HttpLimits withAnswers(AnswerLimits others) {
        return new HttpLimits(connect, request, others);
    }
}
