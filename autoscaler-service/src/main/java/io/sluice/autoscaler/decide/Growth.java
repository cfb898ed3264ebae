// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import org.apache.flink.autoscaler.ScalingMetricEvaluator;
import org.apache.flink.autoscaler.metrics.CollectedMetricHistory;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/** Whether records come in faster in the later half of the window than in the earlier one. */
final class Growth {
    private static final int FEWEST = 6;

    private Growth() {}

    /** By second, as a share of the rate; 0 if nobody can tell. */
    static double of(CollectedMetricHistory collected) {
        SortedMap<Instant, CollectedMetrics> samples = collected.getMetricHistory();
        if (samples.size() < FEWEST) {
            return 0;
        }
        Duration length = Duration.between(samples.firstKey(), samples.lastKey());
        Instant middle = samples.firstKey().plus(length.dividedBy(2));
        double earlier = 0;
        double later = 0;
        for (JobVertexID vertex : collected.getJobTopology().getVertexInfos().keySet()) {
            if (collected.getJobTopology().isSource(vertex)) {
                earlier += arrivals(vertex, samples.headMap(middle.plusNanos(1)));
                later += arrivals(vertex, samples.tailMap(middle));
            }
        }
        double growth = 2 * (later - earlier) / (later + earlier) / (length.toMillis() / 2000.0);
        return Double.isFinite(growth) ? growth : 0;
    }

    /** What was read, and what came to wait. */
    private static double arrivals(
            JobVertexID source, SortedMap<Instant, CollectedMetrics> samples) {
        double read = ScalingMetricEvaluator.getRate(ScalingMetric.NUM_RECORDS_IN, source, samples);
        double waiting = ScalingMetricEvaluator.getRate(ScalingMetric.LAG, source, samples);
        return read + (Double.isFinite(waiting) ? waiting : 0);
    }
}
