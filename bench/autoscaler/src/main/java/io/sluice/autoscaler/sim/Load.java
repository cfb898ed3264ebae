// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

/** Records a second that come in, by seconds since the trace began. */
@FunctionalInterface
interface Load {
    double HOUR = 3600;

    double at(double seconds);

    static Load steady(double rate) {
        return _ -> rate;
    }

    static Load step(double before, double after, double when) {
        return seconds -> seconds < when ? before : after;
    }

    static Load ramp(double before, double after, double from, double to) {
        return seconds ->
                before + (after - before) * Math.clamp((seconds - from) / (to - from), 0, 1);
    }

    /** Quiet at night, full at noon. */
    static Load day(double night, double noon) {
        return seconds ->
                night + (noon - night) * (1 - Math.cos(2 * Math.PI * seconds / (24 * HOUR))) / 2;
    }

    /** Every other hour much more for some minutes. */
    static Load spikes(double usual, double spike, double minutes) {
        return seconds ->
                seconds > HOUR && (seconds - HOUR) % (2 * HOUR) < minutes * 60 ? spike : usual;
    }

    /** What is upstream stands still, then delivers all it held back at once. */
    static Load outage(double usual, double from, double to, double burst) {
        return seconds ->
                seconds < from || seconds >= to + burst
                        ? usual
                        : seconds < to ? 0 : usual * (1 + (to - from) / burst);
    }
}
