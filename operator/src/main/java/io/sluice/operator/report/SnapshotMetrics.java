// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.client.Collector;
import io.prometheus.client.Counter;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.TriggerType;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.report.LastSavepoints.Snapshot;
import io.sluice.process.metric.Series;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * How many FlinkStateSnapshots there are, by the kind of their job, what they are and how far. One
 * series set for each snapshot would never end, as each has a name of its own.
 */
final class SnapshotMetrics extends Collector {
    /** Its place among the labels. */
    private static final int NAMESPACE = 1;

    private static final int STATE = 3;

    private final Counter ended;
    private final LastSavepoints lastSavepoints = new LastSavepoints();
    private final ConcurrentMap<Snapshot, List<String>> snapshots = new ConcurrentHashMap<>();

    /** The labels that there are, as a hundred thousand snapshots have a few of them. */
    private final ConcurrentMap<List<String>, List<String>> known = new ConcurrentHashMap<>();

    SnapshotMetrics(Series series) {
        ended = series.counter("sluice_state_snapshots_ended");
    }

    /** How it is now. */
    void saw(FlinkStateSnapshot resource) {
        FlinkStateSnapshotSpec spec =
                FlinkStateSnapshotSpec.parse(orEmpty(resource.getSpec()), "spec").value();
        var status = FlinkStateSnapshotStatus.of(orEmpty(resource.getStatus()));
        List<String> labels = labels(resource, spec, status);
        List<String> shared = known.computeIfAbsent(labels, _ -> labels);
        var key = new Snapshot(shared.get(NAMESPACE), resource.getMetadata().getName());
        Optional.ofNullable(snapshots.put(key, shared))
                .filter(before -> !isAtRest(before) && isAtRest(shared))
                .ifPresent(_ -> ended.labels(shared.toArray(String[]::new)).inc());
        if (isSavepoint(resource, spec, status)) {
            spec.jobReference()
                    .flatMap(job -> key(key.namespace(), job))
                    .ifPresent(
                            job ->
                                    status.resultTimestamp()
                                            .ifPresent(at -> lastSavepoints.saw(job, key, at)));
        }
    }

    /**
     * Nothing is left of it.
     *
     * @param isThere whether there is such a job
     */
    void gone(FlinkStateSnapshot resource, Predicate<ResourceKey> isThere) {
        var key =
                new Snapshot(
                        resource.getMetadata().getNamespace(), resource.getMetadata().getName());
        snapshots.remove(key);
        lastSavepoints.gone(key, isThere);
    }

    /** Nothing is left of a job. */
    void jobGone(ResourceKey job) {
        lastSavepoints.jobGone(job);
    }

    /** When the last savepoint of the job was complete of which a FlinkStateSnapshot tells. */
    Optional<Instant> lastSavepoint(ResourceKey job) {
        return lastSavepoints.of(job);
    }

    @Override
    public List<MetricFamilySamples> collect() {
        Map<List<String>, Integer> counts = new HashMap<>();
        snapshots.values().forEach(labels -> counts.merge(labels, 1, Integer::sum));
        GaugeMetricFamily family = Series.gauges("sluice_state_snapshots");
        counts.forEach(family::addMetric);
        return List.of(family);
    }

    private static boolean isAtRest(List<String> labels) {
        return Optional.ofNullable(SnapshotState.WORDS.get(labels.get(STATE)))
                .filter(SnapshotState::isAtRest)
                .isPresent();
    }

    /** One that a user has registered may be of any age. */
    private static boolean isSavepoint(
            FlinkStateSnapshot resource,
            FlinkStateSnapshotSpec spec,
            FlinkStateSnapshotStatus status) {
        boolean isOfUpgrade =
                Optional.ofNullable(resource.getMetadata().getLabels())
                        .flatMap(
                                labels ->
                                        Optional.ofNullable(
                                                labels.get(FlinkStateSnapshot.TRIGGER_TYPE_LABEL)))
                        .equals(Optional.of(TriggerType.UPGRADE.wire()));
        return status.state() == SnapshotState.COMPLETED
                && spec.savepoint().isPresent()
                && (isOfUpgrade || !spec.isRegistration());
    }

    private static Optional<ResourceKey> key(String namespace, JobReference job) {
        return job.kind()
                .flatMap(
                        kind ->
                                job.name()
                                        .map(
                                                name ->
                                                        new ResourceKey(
                                                                kind.wire(), namespace, name)));
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }

    private static List<String> labels(
            FlinkStateSnapshot resource,
            FlinkStateSnapshotSpec spec,
            FlinkStateSnapshotStatus status) {
        return List.of(
                spec.jobReference()
                        .flatMap(JobReference::kind)
                        .map(ResourceKind::wire)
                        .orElse("none"),
                resource.getMetadata().getNamespace(),
                spec.checkpoint() ? "CHECKPOINT" : "SAVEPOINT",
                status.state().wire());
    }
}
