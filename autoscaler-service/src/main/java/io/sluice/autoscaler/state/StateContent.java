// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.autoscaler.DelayedScaleDown;
import org.apache.flink.autoscaler.ScalingRecord;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.ScalingTracking;
import org.apache.flink.autoscaler.tuning.ConfigChanges;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * The engine's memory by its parts. The engine edits all but the samples in place: they are not
 * copied.
 */
@RecordBuilder
public record StateContent(
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> history,
        ScalingTracking tracking,
        Samples metrics,
        Map<String, String> overrides,
        ConfigChanges configChanges,
        DelayedScaleDown delayed)
        implements StateContentBuilder.With {

    /** Nothing is remembered yet. */
    public static StateContent empty() {
        return new StateContent(
                new HashMap<>(),
                new ScalingTracking(),
                Samples.NONE,
                new HashMap<>(),
                new ConfigChanges(),
                new DelayedScaleDown());
    }

    /** A copy whose parts the engine does not edit; the samples are shared. */
    public StateContent frozen() {
        Map<JobVertexID, SortedMap<Instant, ScalingSummary>> frozenHistory = new HashMap<>();
        history.forEach((vertex, entries) -> frozenHistory.put(vertex, new TreeMap<>(entries)));
        ScalingTracking frozenTracking = new ScalingTracking();
        tracking.getScalingRecords()
                .forEach(
                        (at, entry) ->
                                frozenTracking.addScalingRecord(
                                        at, new ScalingRecord(entry.getRestartDuration())));
        ConfigChanges frozenChanges = new ConfigChanges();
        configChanges.getOverrides().forEach(frozenChanges::addOverride);
        frozenChanges.getRemovals().addAll(configChanges.getRemovals());
        return new StateContent(
                frozenHistory,
                frozenTracking,
                metrics,
                new HashMap<>(overrides),
                frozenChanges,
                new DelayedScaleDown(new HashMap<>(delayed.getFirstTriggerTime())));
    }
}
