// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.prometheus.client.Collector;
import io.prometheus.client.Histogram;
import io.sluice.process.metric.Series;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the framework tells of its work: how long reconciliations take and wait, and what made them.
 */
public final class PassMetrics implements Metrics {
    private final Histogram seconds;
    private final Histogram waits;
    private final ResourceMetrics resources;
    private final LongSupplier nanos;
    private final ConcurrentMap<ResourceKey, Long> due = new ConcurrentHashMap<>();

    /**
     * @param nanos a clock that only goes forward
     */
    PassMetrics(Series series, ResourceMetrics resources, LongSupplier nanos) {
        this.resources = resources;
        this.nanos = nanos;
        seconds = series.seconds("sluice_operator_pass_seconds");
        waits = series.seconds("sluice_operator_queue_wait_seconds");
        series.gauge("sluice_operator_queue_length", due::size);
    }

    @Override
    public void eventReceived(Event event, Map<String, Object> metadata) {
        String action =
                event instanceof ResourceEvent own
                        ? own.getAction().name().toLowerCase(Locale.ROOT)
                        : "other";
        resources.count(
                key(event.getRelatedCustomResourceID(), metadata),
                counts -> counts.plusEvent(action));
    }

    @Override
    public void reconciliationSubmitted(
            HasMetadata resource, @Nullable RetryInfo retry, Map<String, Object> metadata) {
        due.putIfAbsent(ResourceKey.of(resource), nanos.getAsLong());
        boolean again = retry != null && retry.getAttemptCount() > 0;
        resources.count(ResourceKey.of(resource), counts -> counts.plusPass(again));
    }

    @Override
    public void reconciliationStarted(HasMetadata resource, Map<String, Object> metadata) {
        Optional.ofNullable(due.remove(ResourceKey.of(resource)))
                .ifPresent(
                        since ->
                                waits.labels(resource.getKind())
                                        .observe(
                                                (nanos.getAsLong() - since)
                                                        / Collector.NANOSECONDS_PER_SECOND));
    }

    @Override
    public void reconciliationFailed(
            HasMetadata resource,
            @Nullable RetryInfo retry,
            Exception exception,
            Map<String, Object> metadata) {
        resources.count(ResourceKey.of(resource), ResourceCounts::plusFailure);
    }

    @Override
    public void cleanupDone(ResourceID resource, Map<String, Object> metadata) {
        ResourceKey key = key(resource, metadata);
        due.remove(key);
        resources.gone(key);
    }

    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
        long begin = nanos.getAsLong();
        String outcome = "failed";
        try {
            T result = execution.execute();
            outcome = execution.successTypeName(result);
            return result;
        } finally {
            seconds.labels(kind(execution.metadata()), execution.name(), outcome)
                    .observe((nanos.getAsLong() - begin) / Collector.NANOSECONDS_PER_SECOND);
        }
    }

    private static ResourceKey key(ResourceID id, Map<String, Object> metadata) {
        return new ResourceKey(kind(metadata), id.getNamespace().orElse(""), id.getName());
    }

    private static String kind(Map<String, Object> metadata) {
        return metadata.get(Constants.RESOURCE_GVK_KEY) instanceof GroupVersionKind found
                ? found.getKind()
                : "unknown";
    }
}
