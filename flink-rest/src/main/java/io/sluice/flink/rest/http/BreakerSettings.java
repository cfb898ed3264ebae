// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;

/**
 * @param threshold so many silences in a row open the circuit of a cluster
 * @param firstPause how long it then stays open; doubled each time, up to {@code longestPause}
 * @param clusters how many clusters are remembered; the one not asked for longest is forgotten
 */
public record BreakerSettings(
        int threshold, Duration firstPause, Duration longestPause, int clusters) {
    public static final BreakerSettings DEFAULT =
            new BreakerSettings(5, Duration.ofSeconds(2), Duration.ofSeconds(30), 20_000);

    public BreakerSettings {
        if (threshold < 1 || clusters < 1 || !firstPause.isPositive()) {
            throw new IllegalArgumentException(
                    "threshold, pause and clusters must be positive, not "
                            + threshold
                            + ", "
                            + firstPause
                            + " and "
                            + clusters);
        }
    }

    Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(longestPause) < 0 ? doubled : longestPause;
    }
}
