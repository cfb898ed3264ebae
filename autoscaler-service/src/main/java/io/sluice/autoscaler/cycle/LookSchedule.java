// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import java.time.Duration;
import java.time.Instant;

/**
 * When a job is due: after the first look by when that ended, so that jobs that begin together do
 * not stay together, and then at equal distances, however long a look takes.
 */
record LookSchedule(Instant due, boolean isFound) {
    static LookSchedule from(Instant due) {
        return new LookSchedule(due, false);
    }

    /** After a look that ended {@code now}. What is late is due at once, and only once. */
    LookSchedule next(Instant now, Duration interval) {
        Instant next = (isFound ? due : now).plus(interval);
        return new LookSchedule(next.isBefore(now) ? now : next, true);
    }
}
