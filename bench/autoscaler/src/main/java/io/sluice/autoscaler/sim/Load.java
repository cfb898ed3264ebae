// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.Arrays;
import java.util.random.RandomGenerator;

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

    /**
     * Users come and go: the load wanders about its mean, as a logarithmic Ornstein-Uhlenbeck
     * process does.
     *
     * @param swing standard deviation of the logarithm
     * @param memory seconds after which a deviation is down to a third
     */
    static Load wandering(
            double mean, double swing, double memory, double hours, RandomGenerator random) {
        double[] minutes = new double[(int) Math.ceil(hours * 60) + 1];
        double kept = Math.exp(-60 / memory);
        double deviation = 0;
        for (int i = 0; i < minutes.length; i++) {
            minutes[i] = mean * Math.exp(swing * deviation - swing * swing / 2);
            deviation = kept * deviation + Math.sqrt(1 - kept * kept) * random.nextGaussian();
        }
        return seconds -> minutes[(int) (seconds / 60)];
    }

    /** Much more for some minutes, at any time. */
    static Load bursts(double usual, double burst, double hours, RandomGenerator random) {
        double[] minutes = new double[(int) Math.ceil(hours * 60) + 1];
        Arrays.fill(minutes, usual);
        for (int begin = 30; begin < minutes.length; begin += 20 + random.nextInt(50)) {
            int end = Math.min(minutes.length, begin + 2 + random.nextInt(5));
            Arrays.fill(minutes, begin, end, burst);
        }
        return seconds -> minutes[(int) (seconds / 60)];
    }

    /** Rises for {@code minutes}, then is down again at once. */
    static Load sawtooth(double low, double high, double minutes) {
        return seconds -> low + (high - low) * (seconds % (minutes * 60)) / (minutes * 60);
    }

    /** As {@code other}, but for the hours of each day in which nothing comes. */
    static Load silent(Load other, double from, double to) {
        return seconds -> {
            double hour = seconds / HOUR % 24;
            return hour >= from && hour < to ? 0 : other.at(seconds);
        };
    }

    /** As {@code other}, and much less on the last two days of seven. */
    static Load week(Load other) {
        return seconds -> other.at(seconds) * (seconds / HOUR / 24 % 7 >= 5 ? 0.4 : 1);
    }

    /** Every {@code hours} what has been gathered is delivered within one. */
    static Load batches(double rate, double hours) {
        return seconds -> seconds % (hours * HOUR) < HOUR ? rate : rate / 20;
    }

    /** What is upstream stands still, then delivers all it held back at once. */
    static Load outage(double usual, double from, double to, double burst) {
        return seconds ->
                seconds < from || seconds >= to + burst
                        ? usual
                        : seconds < to ? 0 : usual * (1 + (to - from) / burst);
    }
}
