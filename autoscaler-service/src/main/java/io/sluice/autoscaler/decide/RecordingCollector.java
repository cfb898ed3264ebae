// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.RestApiMetricsCollector;
import org.apache.flink.autoscaler.exceptions.NotReadyException;
import org.apache.flink.autoscaler.metrics.CollectedMetricHistory;
import org.apache.flink.autoscaler.metrics.FlinkMetric;
import org.apache.flink.autoscaler.state.AutoScalerStateStore;
import org.apache.flink.autoscaler.topology.JobTopology;
import org.apache.flink.autoscaler.topology.ShipStrategy;
import org.apache.flink.autoscaler.topology.VertexInfo;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;

/**
 * The engine's collector; says why a job is not ready and how its vertices hang together, which the
 * engine keeps to itself. A simulation overrides what asks a JobManager.
 */
public class RecordingCollector
        extends RestApiMetricsCollector<JobKey, JobAutoScalerContext<JobKey>> {
    private Optional<String> notReady = Optional.empty();
    private Graph graph = Graph.EMPTY;
    private int samples;
    private boolean tellsBacklog = true;

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
        } finally {
            // The store has them, and much smaller.
            getHistories().remove(context.getJobKey());
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

    Graph graph() {
        return graph;
    }

    /** Whether all sources tell how many records wait. */
    boolean tellsBacklog() {
        return tellsBacklog;
    }

    @Override
    protected Map<JobVertexID, Map<String, FlinkMetric>> queryFilteredMetricNames(
            JobAutoScalerContext<JobKey> context, JobTopology topology) {
        Map<JobVertexID, Map<String, FlinkMetric>> names =
                super.queryFilteredMetricNames(context, topology);
        tellsBacklog =
                names.entrySet().stream()
                        .filter(vertex -> topology.isSource(vertex.getKey()))
                        .allMatch(
                                source ->
                                        source.getValue()
                                                .containsValue(FlinkMetric.PENDING_RECORDS));
        return names;
    }

    /**
     * The engine is not told of keys: it would seek a divisor of the key groups, find none, and
     * take its own proposal back. The governor shares key groups out.
     */
    @Override
    protected JobTopology getJobTopology(JobDetailsInfo job) {
        JobTopology topology = describe(job);
        graph = graph(topology);
        return new JobTopology(
                topology.getVertexInfos().values().stream()
                        .map(RecordingCollector::withoutKeys)
                        .toList());
    }

    /** The job's vertices as they are. */
    protected JobTopology describe(JobDetailsInfo job) {
        return super.getJobTopology(job);
    }

    private static VertexInfo withoutKeys(VertexInfo vertex) {
        Map<JobVertexID, ShipStrategy> inputs = new HashMap<>();
        vertex.getInputs()
                .forEach(
                        (from, ship) ->
                                inputs.put(
                                        from,
                                        ship == ShipStrategy.HASH ? ShipStrategy.REBALANCE : ship));
        return new VertexInfo(
                vertex.getId(),
                vertex.getSlotSharingGroupId(),
                inputs,
                vertex.getParallelism(),
                vertex.getMaxParallelism(),
                vertex.isFinished(),
                vertex.getIoMetrics());
    }

    private static Graph graph(JobTopology topology) {
        Map<String, List<Graph.Input>> inputs = new HashMap<>();
        Map<String, String> sharing = new HashMap<>();
        topology.getVertexInfos()
                .forEach(
                        (id, vertex) -> {
                            inputs.put(
                                    id.toHexString(),
                                    vertex.getInputs().entrySet().stream()
                                            .map(
                                                    input ->
                                                            new Graph.Input(
                                                                    input.getKey().toHexString(),
                                                                    input.getValue().name()))
                                            .toList());
                            Optional.ofNullable(vertex.getSlotSharingGroupId())
                                    .ifPresent(
                                            group ->
                                                    sharing.put(
                                                            id.toHexString(), group.toString()));
                        });
        return new Graph(inputs, sharing);
    }

    private static String reason(Throwable thrown) {
        Throwable cause = Optional.ofNullable(thrown.getCause()).orElse(thrown);
        return Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName());
    }
}
