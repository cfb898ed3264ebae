// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;

/**
 * How long and how much a JobManager may answer.
 *
 * @param connect until the connection stands
 * @param request for the whole exchange, its body included
 * @param maxBodyBytes a longer answer counts as none
 */
public record HttpLimits(Duration connect, Duration request, int maxBodyBytes) {
    public static final HttpLimits DEFAULT =
            new HttpLimits(Duration.ofSeconds(3), Duration.ofSeconds(10), 16 * 1024 * 1024);

    public HttpLimits {
        if (!connect.isPositive() || !request.isPositive() || maxBodyBytes < 1) {
            throw new IllegalArgumentException(
                    "limits must be positive, not "
                            + connect
                            + ", "
                            + request
                            + " and "
                            + maxBodyBytes
                            + " bytes");
        }
    }

    /** These limits with another time for the whole exchange. */
    public HttpLimits withRequest(Duration time) {
        return new HttpLimits(connect, time, maxBodyBytes);
    }
}
