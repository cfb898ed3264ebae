// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.ScalingSummary;
import org.apache.flink.autoscaler.event.AutoScalerEventHandler;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.jspecify.annotations.Nullable;

/** Keeps a cycle's events back until it is decided whether the scaling they tell of happens. */
final class RecordedEvents implements AutoScalerEventHandler<JobKey, JobAutoScalerContext<JobKey>> {
    private final List<EngineEvent> events = new ArrayList<>();
    private Optional<Throwable> failure = Optional.empty();

    @Override
    public synchronized void handleEvent(
            JobAutoScalerContext<JobKey> context,
            Type type,
            String reason,
            String message,
            @Nullable String key,
            @Nullable Duration interval) {
        events.add(event(type, reason, message, key, interval, Optional.empty()));
    }

    @Override
    public synchronized void handleException(
            JobAutoScalerContext<JobKey> context, String reason, Throwable thrown) {
        failure = Optional.of(thrown);
        AutoScalerEventHandler.super.handleException(context, reason, thrown);
    }

    @Override
    public synchronized void handleScalingEvent(
            JobAutoScalerContext<JobKey> context,
            Map<JobVertexID, ScalingSummary> summaries,
            String header,
            @Nullable Duration interval) {
        boolean enabled = header.equals(SCALING_SUMMARY_HEADER_SCALING_EXECUTION_ENABLED);
        events.add(
                event(
                        Type.Normal,
                        SCALING_REPORT_REASON,
                        AutoScalerEventHandler.scalingReport(summaries, header),
                        SCALING_REPORT_KEY,
                        enabled ? null : interval,
                        enabled
                                ? Optional.empty()
                                : Optional.of(
                                        AutoScalerEventHandler.getParallelismHashCode(summaries))));
    }

    /** The report of a scaling that is carried out; never deduplicated. */
    static EngineEvent report(Map<JobVertexID, ScalingSummary> summaries) {
        return event(
                Type.Normal,
                SCALING_REPORT_REASON,
                AutoScalerEventHandler.scalingReport(
                        summaries, SCALING_SUMMARY_HEADER_SCALING_EXECUTION_ENABLED),
                SCALING_REPORT_KEY,
                null,
                Optional.empty());
    }

    synchronized List<EngineEvent> take() {
        List<EngineEvent> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    synchronized Optional<Throwable> takeFailure() {
        Optional<Throwable> taken = failure;
        failure = Optional.empty();
        return taken;
    }

    private static EngineEvent event(
            Type type,
            String reason,
            String message,
            @Nullable String key,
            @Nullable Duration interval,
            Optional<String> content) {
        EngineEvent.Severity severity =
                switch (type) {
                    case Normal -> EngineEvent.Severity.NORMAL;
                    case Warning -> EngineEvent.Severity.WARNING;
                };
        return new EngineEvent(
                severity,
                reason,
                message,
                Optional.ofNullable(key),
                Optional.ofNullable(interval),
                content);
    }
}
