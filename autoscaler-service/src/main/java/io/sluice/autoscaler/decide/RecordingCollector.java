// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobKind;
import java.util.EnumMap;
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
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;
import org.apache.flink.runtime.rest.messages.job.metrics.AggregatedMetric;

/**
 * The engine's collector; says why a job is not ready and how its vertices hang together, which the
 * engine keeps to itself. A simulation overrides what asks a JobManager.
 */
public class RecordingCollector
        extends RestApiMetricsCollector<JobKey, JobAutoScalerContext<JobKey>> {
    /** Flink's name of it: of a container's limit where there is one, of the machine otherwise. */
    private static final String CPU_LOAD = "Status.JVM.CPU.Load";

    /** The engine's answer is by its own names. This one is of the JobManager, and free here. */
    private static final FlinkMetric FREE = FlinkMetric.NUM_TASK_SLOTS_TOTAL;

    private Optional<String> notReady = Optional.empty();
    private Graph graph = Graph.EMPTY;
    private int samples;
    private boolean tellsBacklog = true;
    private ProcessorLoad processors = ProcessorLoad.UNKNOWN;

    @Override
    public CollectedMetricHistory updateMetrics(
            JobAutoScalerContext<JobKey> context,
            AutoScalerStateStore<JobKey, JobAutoScalerContext<JobKey>> store)
            throws Exception {
        try {
            CollectedMetricHistory history = super.updateMetrics(context, store);
            samples = history.getMetricHistory().size();
            boolean isOwn = context.getJobKey().kind() == JobKind.FLINK_DEPLOYMENT;
            processors = isOwn && samples > 1 ? processors : ProcessorLoad.UNKNOWN;
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

    /** How busy the processors of the TaskManagers are; unknown where other jobs run there too. */
    ProcessorLoad processors() {
        return processors;
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

    /** Asks for the processors too, with the same request. */
    @Override
    protected Map<FlinkMetric, AggregatedMetric> queryAggregatedTmMetrics(
            RestClusterClient<?> client, Map<String, FlinkMetric> names) {
        Map<String, FlinkMetric> more = new HashMap<>(names);
        more.put(CPU_LOAD, FREE);
        Map<FlinkMetric, AggregatedMetric> values =
                new EnumMap<>(super.queryAggregatedTmMetrics(client, more));
        Optional.ofNullable(values.remove(FREE))
                .map(AggregatedMetric::getAvg)
                .ifPresent(this::seeProcessors);
        return values;
    }

    /**
     * Takes one more measurement.
     *
     * @param load of all processors of a TaskManager, from 0 to 1; 0 or less where its JVM does not
     *     know
     */
    protected final void seeProcessors(double load) {
        processors = processors.seen(load);
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
