// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Keeps resources that were looked at together, after a start for instance, from being looked at
 * together for ever: each next look comes up to a tenth sooner or later. Short waits stay as they
 * are.
 */
public record Spread(RandomGenerator dice) {
    private static final Duration SHORT = Duration.ofSeconds(4);
    private static final double PART = 0.1;

    public Duration around(Duration wait) {
        return wait.compareTo(SHORT) < 0
                ? wait
                : Duration.ofMillis(
                        Math.round(wait.toMillis() * dice.nextDouble(1 - PART, 1 + PART)));
    }
}
