// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.history.Direction;

/**
 * Where the load of a job goes, as seen in one window of its metrics.
 *
 * @param level the rate of the last third by that of the whole window
 * @param growth how much faster records come in each second, as a share of the rate; negative if
 *     slower, 0 unless it goes on all through the window
 * @param jump how much the last third changes within itself, as a share of its rate
 * @param swing how much the last third differs from the first, as a share of the rate
 */
public record Trend(double level, double growth, double jump, double swing) {
    public static final Trend STEADY = new Trend(1, 0, 0, 0);

    private static final double UNSETTLED = 0.15;

    /** One per cent in five minutes; what is less may be noise. */
    private static final double LEAST_GROWTH = 0.01 / 300;

    public Trend {
        level = Double.isFinite(level) ? level : 1;
        growth = Math.abs(growth) >= LEAST_GROWTH && Double.isFinite(growth) ? growth : 0;
        jump = Double.isFinite(jump) ? jump : 0;
        swing = Double.isFinite(swing) ? swing : 0;
    }

    /** Whether nobody can tell yet where it will come to rest. */
    boolean isUnsettled(Direction direction) {
        return switch (direction) {
            case UP -> jump > UNSETTLED;
            case DOWN -> jump > UNSETTLED || swing > UNSETTLED;
        };
    }
}
