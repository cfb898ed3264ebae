// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The seeds that a test of a simulated world runs, as system properties say when it asks: {@code
 * -Dsim.first=<seed>} on, as many as take {@code -Dsim.steps=<count>}; or those of {@code
 * -Dsim.only=<seed>,<seed>}.
 *
 * @param usually how many steps are asked for if no property says so
 * @param open seeds that are left out, as what they have found is open
 */
public record SeedsToRun(long usually, Set<Long> open) {
    public SeedsToRun {
        open = Set.copyOf(open);
    }

    public SeedsToRun(long usually) {
        this(usually, Set.of());
    }

    /** How many steps are to be taken at least. */
    public long steps() {
        return only().isEmpty() ? Long.getLong("sim.steps", usually) : 0;
    }

    private static String only() {
        return System.getProperty("sim.only", "");
    }

    /** The seeds, each of which takes {@code each} steps. */
    LongStream seeds(long each) {
        if (only().isEmpty()) {
            long first = Long.getLong("sim.first", 0);
            long end = first + Math.ceilDiv(steps(), each) + open.size();
            return LongStream.range(first, end).filter(seed -> !open.contains(seed));
        }
        return Arrays.stream(only().split(",")).mapToLong(Long::parseLong);
    }
}
