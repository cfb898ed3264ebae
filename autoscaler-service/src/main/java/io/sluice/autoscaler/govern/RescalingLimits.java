// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import java.util.Optional;

/**
 * What the other jobs leave room for.
 *
 * @param underWay rescales of other jobs that are not done yet
 * @param atOnce how many may be
 * @param cores left in the job's namespace; empty for no limit
 * @param memory left in the job's namespace, in bytes; empty for no limit
 */
public record RescalingLimits(
        int underWay, int atOnce, Optional<Double> cores, Optional<Long> memory) {
    public static final RescalingLimits EMPTY =
            new RescalingLimits(0, Integer.MAX_VALUE, Optional.empty(), Optional.empty());

    /** A third of the places is kept for jobs that can't keep up. */
    boolean isBusyFor(boolean urgent) {
        return underWay >= (urgent ? atOnce : Math.max(1, atOnce - atOnce / 3));
    }

    boolean hasRoomFor(Footprint more) {
        return cores.map(left -> more.cores() <= left).orElse(true)
                && memory.map(left -> more.memory() <= left).orElse(true);
    }
}
