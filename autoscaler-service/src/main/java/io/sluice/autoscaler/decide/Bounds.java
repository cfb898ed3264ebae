// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.EngineOptions;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.autoscaler.config.AutoScalerOptions;
import org.apache.flink.autoscaler.metrics.EvaluatedMetrics;
import org.apache.flink.autoscaler.metrics.EvaluatedScalingMetric;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.configuration.Configuration;

/**
 * Between which utilizations a vertex is left alone, each bound for itself
 * (docs/contract/autoscaler.md, section 3): {@code capacity(util) = catchUp + target * restart /
 * catchUpTime + target / util}.
 *
 * @param upper utilization above which more is needed, above 0 to 1
 * @param lower utilization below which less would do; 0 for never
 * @param restartShare restart time by catch-up time; 0 if nothing is caught up
 */
record Bounds(double upper, double lower, double restartShare) {
    /** So busy a vertex is only if it can't do more, whatever noise there is. */
    private static final double SATURATED = 0.95;

    static Bounds of(Configuration configuration, boolean backlog, Duration restart) {
        Duration catchUp = configuration.get(AutoScalerOptions.CATCH_UP_DURATION);
        double share = catchUp.isPositive() ? (double) restart.toMillis() / catchUp.toMillis() : 0;
        return backlog
                ? new Bounds(1, 0, share)
                : new Bounds(
                        number(configuration, EngineOptions.UTILIZATION_MAX, 1),
                        number(configuration, EngineOptions.UTILIZATION_MIN, 0),
                        share);
    }

    /**
     * For a job with a source that does not tell how many records wait. A job that is too small
     * then does just as much as is measured to come in: only how busy it is tells.
     *
     * @param target utilization that the job is sized for
     */
    Bounds withoutBacklog(double target) {
        return new Bounds(Math.min(upper, Math.max(target, SATURATED)), lower, restartShare);
    }

    void setIn(EvaluatedMetrics metrics) {
        metrics.getVertexMetrics().values().forEach(this::setIn);
    }

    private void setIn(Map<ScalingMetric, EvaluatedScalingMetric> vertex) {
        EvaluatedScalingMetric target = vertex.get(ScalingMetric.TARGET_DATA_RATE);
        EvaluatedScalingMetric catchUp = vertex.get(ScalingMetric.CATCH_UP_DATA_RATE);
        if (target == null || catchUp == null) {
            return; // the engine could not tell either
        }
        double rate = target.getAverage();
        double backlog = catchUp.getCurrent();
        vertex.put(
                ScalingMetric.SCALE_UP_RATE_THRESHOLD,
                EvaluatedScalingMetric.of(backlog + rate / upper));
        vertex.put(
                ScalingMetric.SCALE_DOWN_RATE_THRESHOLD,
                EvaluatedScalingMetric.of(
                        lower == 0
                                ? Double.POSITIVE_INFINITY
                                : backlog + rate * restartShare + rate / lower));
    }

    private static double number(Configuration configuration, String key, double otherwise) {
        return Double.parseDouble(configuration.getString(key, Double.toString(otherwise)));
    }
}
