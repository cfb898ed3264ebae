// SPDX-License-Identifier: Apache-2.0
package org.apache.flink.autoscaler;

import java.time.Clock;
import org.apache.flink.autoscaler.event.AutoScalerEventHandler;
import org.apache.flink.autoscaler.realizer.ScalingRealizer;
import org.apache.flink.autoscaler.state.AutoScalerStateStore;

/**
 * The engine with a clock of ours. It lies in the engine's package because only there the clock can
 * be set: a simulation of a day must not take one.
 *
 * @param <K> what names a job
 */
public final class TimedAutoScaler<K> extends JobAutoScalerImpl<K, JobAutoScalerContext<K>> {
    public TimedAutoScaler(
            ScalingMetricCollector<K, JobAutoScalerContext<K>> collector,
            ScalingMetricEvaluator evaluator,
            ScalingExecutor<K, JobAutoScalerContext<K>> executor,
            AutoScalerEventHandler<K, JobAutoScalerContext<K>> events,
            ScalingRealizer<K, JobAutoScalerContext<K>> realizer,
            AutoScalerStateStore<K, JobAutoScalerContext<K>> store,
            Clock clock) {
        super(collector, evaluator, executor, events, realizer, store);
        setClock(clock);
        collector.setClock(clock);
    }

    /** What was evaluated is kept for gauges that nobody here reads. */
    @Override
    public void scale(JobAutoScalerContext<K> context) throws Exception {
        try {
            super.scale(context);
        } finally {
            lastEvaluatedMetrics.clear();
        }
    }
}
