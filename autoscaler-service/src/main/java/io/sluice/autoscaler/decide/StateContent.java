// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.autoscaler.DelayedScaleDown;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.ScalingTracking;
import org.apache.flink.autoscaler.metrics.CollectedMetrics;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/** The engine's memory by its parts. The engine edits the parts in place: they are not copied. */
record StateContent(
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history,
        ScalingTracking tracking,
        SortedMap<Instant, CollectedMetrics> metrics,
        Map<String, String> overrides,
        ConfigChanges configChanges,
        DelayedScaleDown delayed) {

    static StateContent empty() {
        return new StateContent(
                new HashMap<>(),
                new ScalingTracking(),
                new TreeMap<>(),
                new HashMap<>(),
                new ConfigChanges(),
                new DelayedScaleDown());
    }

    StateContent withHistory(Map<JobVertexID, SortedMap<Instant, ScalingSummary>> next) {
        return new StateContent(next, tracking, metrics, overrides, configChanges, delayed);
    }

    StateContent withTracking(ScalingTracking next) {
        return new StateContent(history, next, metrics, overrides, configChanges, delayed);
    }

    StateContent withMetrics(SortedMap<Instant, CollectedMetrics> next) {
        return new StateContent(history, tracking, next, overrides, configChanges, delayed);
    }

    StateContent withOverrides(Map<String, String> next) {
        return new StateContent(history, tracking, metrics, next, configChanges, delayed);
    }

    StateContent withConfigChanges(ConfigChanges next) {
        return new StateContent(history, tracking, metrics, overrides, next, delayed);
    }

    StateContent withDelayed(DelayedScaleDown next) {
        return new StateContent(history, tracking, metrics, overrides, configChanges, next);
    }
}
