// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.autoscaler.metrics.EvaluatedMetrics;
import org.apache.flink.autoscaler.metrics.EvaluatedScalingMetric;
import org.apache.flink.autoscaler.metrics.ScalingMetric;
import org.apache.flink.autoscaler.topology.JobTopology;
import org.apache.flink.autoscaler.topology.VertexInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.TaskManagerOptions;

/**
 * Lets no vertex seem to be able to do more than the processors of its TaskManagers. It counts for
 * the vertices that have the most subtasks of their slot sharing group, as only more of these bring
 * more TaskManagers.
 */
record Processors(ProcessorLoad load, JobTopology topology, Configuration configuration) {
    void limit(EvaluatedMetrics metrics) {
        if (!load.isKnown()) {
            return;
        }
        Map<String, Integer> most = new HashMap<>();
        double busy = 0;
        for (VertexInfo vertex : topology.getVertexInfos().values()) {
            most.merge(sharing(vertex), vertex.getParallelism(), Math::max);
            busy += busy(metrics, vertex) * vertex.getParallelism();
        }
        int slots = most.values().stream().mapToInt(Integer::intValue).sum();
        int each = Math.max(1, configuration.get(TaskManagerOptions.NUM_TASK_SLOTS));
        double together = busy / Math.max(1, Math.ceilDiv(slots, each));
        for (VertexInfo vertex : topology.getVertexInfos().values()) {
            if (vertex.getParallelism() >= most.getOrDefault(sharing(vertex), 0)) {
                double share = load.share(busy(metrics, vertex), together);
                metrics.getVertexMetrics()
                        .computeIfPresent(vertex.getId(), (_, values) -> limited(values, share));
            }
        }
    }

    private static String sharing(VertexInfo vertex) {
        return String.valueOf(vertex.getSlotSharingGroupId());
    }

    /** From 0 to 1; 0 where the engine could not tell. */
    private static double busy(EvaluatedMetrics metrics, VertexInfo vertex) {
        EvaluatedScalingMetric load =
                metrics.getVertexMetrics()
                        .getOrDefault(vertex.getId(), Map.of())
                        .get(ScalingMetric.LOAD);
        return load == null || !Double.isFinite(load.getAverage()) ? 0 : load.getAverage();
    }

    private static Map<ScalingMetric, EvaluatedScalingMetric> limited(
            Map<ScalingMetric, EvaluatedScalingMetric> values, double share) {
        values.computeIfPresent(
                ScalingMetric.TRUE_PROCESSING_RATE,
                (_, rate) ->
                        new EvaluatedScalingMetric(
                                rate.getCurrent() * share, rate.getAverage() * share));
        return values;
    }
}
