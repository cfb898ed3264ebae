// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import java.time.Duration;
import java.time.Instant;

/**
 * Both clocks at one moment.
 *
 * @param clock what people go by; may be set, either way
 * @param uptime only goes forward
 */
record Reading(Instant clock, Instant uptime) {
    private static final Duration SLEWED = Duration.ofSeconds(5);

    /** By how much somebody set the clock since {@code earlier}; nothing for a few seconds. */
    Duration jumpSince(Reading earlier) {
        Duration jump =
                Duration.between(earlier.clock, clock)
                        .minus(Duration.between(earlier.uptime, uptime));
        return jump.abs().compareTo(SLEWED) <= 0 ? Duration.ZERO : jump;
    }
}
