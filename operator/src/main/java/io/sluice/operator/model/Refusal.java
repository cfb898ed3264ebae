// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.time.Duration;
import java.time.Instant;

/**
 * What was refused when the operator tried to create something, and when it is to try again. Most
 * refusals last until somebody edits the resource, and each try costs the API server as much as the
 * first one.
 *
 * @param message why, in the words of whoever refused it
 * @param times how often it was refused in a row, at least 1
 * @param at when it was refused last
 */
public record Refusal(String message, int times, Instant at) {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /**
     * Whether it is time to try again: after the first pause, and then after one that is twice as
     * long each time, up to two minutes. A look that comes a little early counts.
     *
     * @param first the first pause, which is also the time between two looks
     */
    public boolean isDue(Instant now, Duration first) {
        return !now.isBefore(at.plus(pause(first)).minus(first.dividedBy(2)));
    }

    private Duration pause(Duration first) {
        Duration pause = first;
        for (int i = 1; i < times && pause.compareTo(LONGEST) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return first.compareTo(LONGEST) > 0 || pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }
}
