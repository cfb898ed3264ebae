// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What a run of calls took.
 *
 * @param nanos how long each answer took, by caller
 * @param length of the run
 * @param processor what the server's process used meanwhile
 */
record Sample(List<long[]> nanos, Duration length, Duration processor) {
    Sample {
        nanos = List.copyOf(nanos);
    }

    long calls() {
        return nanos.stream().mapToLong(each -> each.length).sum();
    }

    double perSecond() {
        return calls() / seconds(length);
    }

    /** Microseconds of processor time. */
    double processorPerCall() {
        return seconds(processor) * 1e6 / calls();
    }

    /**
     * @param share 0.99 for the slowest hundredth's fastest
     * @return milliseconds
     */
    double quantile(double share) {
        return quantile(nanos.stream().flatMapToLong(Arrays::stream).toArray(), share);
    }

    /** How many times as long as the best served caller's median the worst served one's is. */
    double unfairness() {
        var medians = nanos.stream().mapToDouble(each -> quantile(each, 0.5)).summaryStatistics();
        return medians.getMax() / medians.getMin();
    }

    private static double quantile(long[] values, double share) {
        if (values.length == 0) {
            return Double.POSITIVE_INFINITY;
        }
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))] / 1e6;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
