// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Optional;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.RestApiMetricsCollector;
import org.apache.flink.autoscaler.exceptions.NotReadyException;
import org.apache.flink.autoscaler.metrics.CollectedMetricHistory;
import org.apache.flink.autoscaler.state.AutoScalerStateStore;

/** The engine's collector; says why a job is not ready, which the engine keeps to itself. */
final class RecordingCollector
        extends RestApiMetricsCollector<JobKey, JobAutoScalerContext<JobKey>> {
    private Optional<String> notReady = Optional.empty();
    private int samples;

    @Override
    public CollectedMetricHistory updateMetrics(
            JobAutoScalerContext<JobKey> context,
            AutoScalerStateStore<JobKey, JobAutoScalerContext<JobKey>> store)
            throws Exception {
        try {
            CollectedMetricHistory history = super.updateMetrics(context, store);
            samples = history.getMetricHistory().size();
            return history;
        } catch (NotReadyException early) {
            notReady = Optional.of(reason(early));
            throw early;
        }
    }

    void forget() {
        notReady = Optional.empty();
        samples = 0;
    }

    Optional<String> notReady() {
        return notReady;
    }

    int samples() {
        return samples;
    }

    private static String reason(Throwable thrown) {
        Throwable cause = Optional.ofNullable(thrown.getCause()).orElse(thrown);
        return Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName());
    }
}
