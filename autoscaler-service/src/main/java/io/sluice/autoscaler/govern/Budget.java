// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How often a job may be rescaled: each time costs its users a pause.
 *
 * @param pause the least time between two scalings; zero for no limit
 * @param lastScaling when the job was last scaled, if ever
 */
public record Budget(Instant now, Duration pause, Optional<Instant> lastScaling) {
    /** New pods take their time; what has not come by then may never come. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    boolean isSpent() {
        return scaledWithin(pause);
    }

    boolean isLastScalingFresh() {
        return scaledWithin(PATIENCE);
    }

    private boolean scaledWithin(Duration time) {
        return lastScaling.filter(last -> now.isBefore(last.plus(time))).isPresent();
    }
}
