// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.process.metric.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How many FlinkStateSnapshots there are, by the kind of their job, what they are and how far. One
 * series set for each snapshot would never end, as each has a name of its own.
 */
final class SnapshotMetrics extends Collector {
    /** Its place among the labels. */
    private static final int NAMESPACE = 1;

    private final ConcurrentMap<Key, List<String>> snapshots = new ConcurrentHashMap<>();

    /** The labels that there are, as a hundred thousand snapshots have a few of them. */
    private final ConcurrentMap<List<String>, List<String>> known = new ConcurrentHashMap<>();

    private record Key(String namespace, String name) {}

    /** How it is now. */
    void saw(FlinkStateSnapshot resource) {
        List<String> labels = labels(resource);
        List<String> shared = known.computeIfAbsent(labels, _ -> labels);
        snapshots.put(new Key(shared.get(NAMESPACE), resource.getMetadata().getName()), shared);
    }

    /** Nothing is left of it. */
    void gone(FlinkStateSnapshot resource) {
        snapshots.remove(
                new Key(resource.getMetadata().getNamespace(), resource.getMetadata().getName()));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        Map<List<String>, Integer> counts = new HashMap<>();
        snapshots.values().forEach(labels -> counts.merge(labels, 1, Integer::sum));
        GaugeMetricFamily family = Series.gauges("sluice_state_snapshots");
        counts.forEach(family::addMetric);
        return List.of(family);
    }

    private static List<String> labels(FlinkStateSnapshot resource) {
        FlinkStateSnapshotSpec spec =
                FlinkStateSnapshotSpec.parse(
                                Optional.ofNullable(resource.getSpec())
                                        .orElseGet(JsonNodeFactory.instance::objectNode),
                                "spec")
                        .value();
        var status =
                FlinkStateSnapshotStatus.of(
                        Optional.ofNullable(resource.getStatus())
                                .orElseGet(JsonNodeFactory.instance::objectNode));
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
