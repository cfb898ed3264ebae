// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * How long and how much a JobManager may answer: all limits there are.
 *
 * @param connect until the connection stands
 * @param request for the whole exchange, its body included
 * @param answers how much is read of what it answers
 */
@RecordBuilder
public record HttpLimits(Duration connect, Duration request, AnswerLimits answers)
        implements HttpLimitsBuilder.With {
    public HttpLimits {
        if (!connect.isPositive() || !request.isPositive()) {
            throw new IllegalArgumentException(
                    "limits must be positive, not " + connect + " and " + request);
        }
    }

    /** Three seconds for a connection, and ten for an exchange. */
    public static HttpLimits of(AnswerLimits answers) {
        return new HttpLimits(Duration.ofSeconds(3), Duration.ofSeconds(10), answers);
    }
}
