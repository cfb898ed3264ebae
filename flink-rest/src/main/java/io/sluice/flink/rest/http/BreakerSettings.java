// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;

/**
 * @param threshold so many silences in a row open the circuit of a cluster; one that was waited for
 *     longer than {@code firstPause} does so alone
 * @param firstPause how long it then stays open, or as long as it was waited for if that is longer;
 *     doubled each time, up to {@code longestPause}
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

    /** Whether a circuit stays closed after so many in a row. */
    boolean bears(int silences, Duration waited) {
        return silences < threshold && waited.compareTo(firstPause) <= 0;
    }

    Duration pauseAfter(Duration waited) {
        return waited.compareTo(firstPause) <= 0 ? firstPause : atMost(waited);
    }

    Duration longer(Duration pause) {
        return atMost(pause.multipliedBy(2));
    }

    private Duration atMost(Duration pause) {
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }
}
