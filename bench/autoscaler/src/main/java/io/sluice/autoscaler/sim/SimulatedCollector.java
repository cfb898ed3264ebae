// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.RecordingCollector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.autoscaler.JobAutoScalerContext;
import org.apache.flink.autoscaler.metrics.FlinkMetric;
import org.apache.flink.autoscaler.topology.IOMetrics;
import org.apache.flink.autoscaler.topology.JobTopology;
import org.apache.flink.autoscaler.topology.ShipStrategy;
import org.apache.flink.autoscaler.topology.VertexInfo;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.rest.messages.JobPlanInfo;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;
import org.apache.flink.runtime.rest.messages.job.metrics.AggregatedMetric;
import org.apache.flink.runtime.rest.messages.job.metrics.Metric;

/** The engine's collector, told by a simulated job what a JobManager would tell. */
class SimulatedCollector extends RecordingCollector {
    private static final JobDetailsInfo RUNNING =
            new JobDetailsInfo(
                    JobID.fromHexString("00000000000000000000000000000001"),
                    "simulated",
                    false,
                    JobStatus.RUNNING,
                    0,
                    -1,
                    0,
                    Node.MAX_PARALLELISM,
                    0,
                    Map.of(),
                    List.of(),
                    Map.of(),
                    new JobPlanInfo.RawJson("{}"));

    private final SimulatedFlink flink;
    private final Map<JobVertexID, Integer> index = new HashMap<>();

    SimulatedCollector(SimulatedFlink flink) {
        this.flink = flink;
        List<Node> nodes = flink.job().nodes();
        for (int i = 0; i < nodes.size(); i++) {
            index.put(nodes.get(i).id(), i);
        }
    }

    @Override
    public JobDetailsInfo getJobDetailsInfo(
            JobAutoScalerContext<JobKey> context, Duration timeout) {
        return RUNNING;
    }

    @Override
    protected Instant getJobRunningTs(JobDetailsInfo job) {
        return Instant.ofEpochMilli((long) (flink.runsSince() * 1000));
    }

    @Override
    protected JobTopology describe(JobDetailsInfo job) {
        List<VertexInfo> vertices = new ArrayList<>();
        int[] parallelism = flink.parallelism();
        for (int i = 0; i < parallelism.length; i++) {
            Node node = flink.job().nodes().get(i);
            Map<JobVertexID, ShipStrategy> inputs = new HashMap<>();
            node.inputs()
                    .forEach(
                            input ->
                                    inputs.put(
                                            flink.job().nodes().get(input.from()).id(),
                                            input.ship()));
            vertices.add(
                    new VertexInfo(
                            node.id(),
                            inputs,
                            parallelism[i],
                            Node.MAX_PARALLELISM,
                            false,
                            new IOMetrics(
                                    (long) flink.records(i),
                                    (long) flink.records(i),
                                    flink.busyTime(i))));
        }
        return new JobTopology(vertices);
    }

    @Override
    protected Collection<String> queryAggregatedMetricNames(
            RestClusterClient<?> client, JobID job, JobVertexID vertex) {
        Node node = flink.job().nodes().get(index.getOrDefault(vertex, 0));
        List<String> names = new ArrayList<>(List.of("busyTimeMsPerSecond"));
        if (!node.isSource()) {
            names.add("numRecordsInPerSecond");
            return names;
        }
        names.add("backPressuredTimeMsPerSecond");
        for (String metric : List.of("numRecordsInPerSecond", "numRecordsIn", "numRecordsOut")) {
            names.add("Source__in." + metric);
        }
        if (flink.tellsBacklog()) {
            names.add("Source__in.pendingRecords");
        }
        for (int partition = 0; partition < node.weights().size(); partition++) {
            names.add(
                    "0.Source__in.KafkaSourceReader.topic.t.partition."
                            + partition
                            + ".currentOffset");
        }
        return names;
    }

    @Override
    protected Map<JobVertexID, Map<FlinkMetric, AggregatedMetric>> queryAllAggregatedMetrics(
            JobAutoScalerContext<JobKey> context,
            Map<JobVertexID, Map<String, FlinkMetric>> wanted) {
        Map<JobVertexID, Map<FlinkMetric, AggregatedMetric>> all = new HashMap<>();
        wanted.forEach(
                (vertex, names) -> {
                    int i = index.getOrDefault(vertex, 0);
                    Map<FlinkMetric, AggregatedMetric> values = new EnumMap<>(FlinkMetric.class);
                    names.values().forEach(metric -> values.put(metric, value(metric, i)));
                    all.put(vertex, values);
                });
        return all;
    }

    @Override
    protected Map<FlinkMetric, Metric> queryJmMetrics(JobAutoScalerContext<JobKey> context) {
        int used = Job.slots(flink.parallelism());
        int slots = Math.ceilDiv(used, flink.slotsEach()) * flink.slotsEach();
        return Map.of(
                FlinkMetric.NUM_TASK_SLOTS_TOTAL,
                new Metric("taskSlotsTotal", Integer.toString(slots)),
                FlinkMetric.NUM_TASK_SLOTS_AVAILABLE,
                new Metric("taskSlotsAvailable", Integer.toString(slots - used)));
    }

    @Override
    protected Map<FlinkMetric, AggregatedMetric> queryTmMetrics(
            JobAutoScalerContext<JobKey> context) {
        seeProcessors(flink.seenProcessors());
        return Map.of(
                FlinkMetric.HEAP_MEMORY_MAX, same(1e9),
                FlinkMetric.HEAP_MEMORY_USED, same(3e8),
                FlinkMetric.MANAGED_MEMORY_USED, same(0),
                FlinkMetric.METASPACE_MEMORY_USED, same(1e8),
                FlinkMetric.TOTAL_GC_TIME_PER_SEC, same(5));
    }

    private AggregatedMetric value(FlinkMetric metric, int vertex) {
        return switch (metric) {
            case BUSY_TIME_PER_SEC -> same(flink.seenBusy(vertex));
            case BACKPRESSURE_TIME_PER_SEC -> same(flink.seenPressure(vertex));
            case PENDING_RECORDS -> same(flink.waiting(vertex));
            case SOURCE_TASK_NUM_RECORDS_IN, SOURCE_TASK_NUM_RECORDS_OUT ->
                    same(flink.records(vertex));
            case SOURCE_TASK_NUM_RECORDS_IN_PER_SEC, SOURCE_TASK_NUM_RECORDS_OUT_PER_SEC ->
                    same(flink.seenRate(vertex));
            default -> same(0);
        };
    }

    /** Aggregates of one subtask are alike; those of many come ready made. */
    private static AggregatedMetric same(double value) {
        return new AggregatedMetric("", value, value, value, value, 0.0);
    }
}
