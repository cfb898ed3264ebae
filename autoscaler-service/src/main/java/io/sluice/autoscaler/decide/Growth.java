// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.govern.Trend;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import org.apache.flink.autoscaler.ScalingMetricEvaluator;
import org.apache.flink.autoscaler.metrics.CollectedMetricHistory;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/** How records came in over the window: by thirds, and the last of them by halves. */
final class Growth {
    private static final int FEWEST = 6;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Growth() {}

    static Trend of(CollectedMetricHistory collected) {
        SortedMap<Instant, CollectedMetrics> samples = collected.getMetricHistory();
        if (samples.size() < FEWEST) {
            return Trend.STEADY;
        }
        Instant from = samples.firstKey();
        Duration length = Duration.between(from, samples.lastKey());
        double first = rate(collected, from, from.plus(length.dividedBy(3)));
        double second =
                rate(
                        collected,
                        from.plus(length.dividedBy(3)),
                        from.plus(length.multipliedBy(2).dividedBy(3)));
        double third =
                rate(collected, from.plus(length.multipliedBy(2).dividedBy(3)), samples.lastKey());
        Instant half = from.plus(length.multipliedBy(5).dividedBy(6));
        double before = rate(collected, from.plus(length.multipliedBy(2).dividedBy(3)), half);
        double after = rate(collected, half, samples.lastKey());
        double whole = rate(collected, from, samples.lastKey());
        return new Trend(
                third / whole,
                lesser(second - first, third - second) / whole / (length.toMillis() / 3000.0),
                Math.abs(after - before) / third,
                Math.abs(third - first) / whole);
    }

    /** Records a second that came in during the last minute; not a number with too few samples. */
    static double latest(CollectedMetricHistory collected) {
        SortedMap<Instant, CollectedMetrics> samples = collected.getMetricHistory();
        return samples.size() < 2
                ? Double.NaN
                : rate(collected, samples.lastKey().minus(MINUTE), samples.lastKey());
    }

    /** What goes on in one direction counts, and of it the slower part. */
    private static double lesser(double one, double other) {
        return one * other <= 0 ? 0 : Math.abs(one) < Math.abs(other) ? one : other;
    }

    /** What all sources read in this time, and what came to wait, by second. */
    private static double rate(CollectedMetricHistory collected, Instant from, Instant to) {
        SortedMap<Instant, CollectedMetrics> samples =
                around(collected.getMetricHistory(), from, to);
        double rate = 0;
        for (JobVertexID vertex : collected.getJobTopology().getVertexInfos().keySet()) {
            if (collected.getJobTopology().isSource(vertex)) {
                rate += arrivals(vertex, samples);
            }
        }
        return rate;
    }

    /** The samples of a time, with the last one before it. */
    private static SortedMap<Instant, CollectedMetrics> around(
            SortedMap<Instant, CollectedMetrics> samples, Instant from, Instant to) {
        SortedMap<Instant, CollectedMetrics> before = samples.headMap(from.plusNanos(1));
        Instant first = before.isEmpty() ? from : before.lastKey();
        return samples.subMap(first, to.plusNanos(1));
    }

    /** What was read, and what came to wait. */
    private static double arrivals(
            JobVertexID source, SortedMap<Instant, CollectedMetrics> samples) {
        double read = ScalingMetricEvaluator.getRate(ScalingMetric.NUM_RECORDS_IN, source, samples);
        double waiting = ScalingMetricEvaluator.getRate(ScalingMetric.LAG, source, samples);
        return read + (Double.isFinite(waiting) ? waiting : 0);
    }
}
