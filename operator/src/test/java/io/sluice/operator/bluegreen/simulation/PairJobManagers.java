// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.operator.deployment.simulation.SimulatedJobManagers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The JobManagers of the halves, as one process of the operator of pairs reaches them. */
final class PairJobManagers implements UnaskedByPairs {
    private static final String PENDING = "0.Source__orders.pendingRecords";
    private static final String RESTARTS = "numRestarts";

    private final PairWorld world;
    private final SimulatedJobManagers flink;
    private final Set<PairFlaws> flaws;

    PairJobManagers(PairWorld world, SimulatedJobManagers flink, Set<PairFlaws> flaws) {
        this.world = world;
        this.flink = flink;
        this.flaws = flaws;
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return flink.triggerSavepoint(
                at,
                jobId,
                new SavepointRequest(
                        named(request.triggerId()), request.folder(), request.format()));
    }

    private String named(String triggerId) {
        return flaws.contains(PairFlaws.TRIGGER_REUSED) ? "the-same" : triggerId;
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        return flaws.contains(PairFlaws.SAVEPOINT_LEFT_BEHIND) && world.promises().isEdited()
                ? new Reply.Ok<>(new SavepointStatus.Failed("left", Optional.empty()))
                : flink.savepoint(at, jobId, named(triggerId));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return flink.checkpoints(at, jobId);
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        Reply<Map<String, Double>> reply = flink.metrics(at, jobId, names);
        if (reply instanceof Reply.Ok<Map<String, Double>>(var told)
                && told.getOrDefault(RESTARTS, 0.0) > 0) {
            half(at).ifPresent(world.analysis()::toldOfRestart);
        }
        return flaws.contains(PairFlaws.RESTARTS_OVERLOOKED)
                ? reply.map(PairJobManagers::withoutRestarts)
                : reply;
    }

    private static Map<String, Double> withoutRestarts(Map<String, Double> told) {
        Map<String, Double> flawed = new TreeMap<>(told);
        flawed.computeIfPresent(RESTARTS, (_, _) -> 0.0);
        return flawed;
    }

    private Optional<Half> half(URI at) {
        return world.deployed().half(at);
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        return flink.ofJob(
                at,
                "plan",
                jobId,
                _ -> new Reply.Ok<>(List.of(new PlanNode("01", true), new PlanNode("02", false))));
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        return flink.ofJob(
                at,
                "names of metrics",
                jobId,
                _ -> new Reply.Ok<>(pending(at).map(_ -> List.of(PENDING)).orElseGet(List::of)));
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        return flink.ofJob(
                at,
                "metrics of subtasks",
                jobId,
                _ ->
                        new Reply.Ok<>(
                                pending(at)
                                        .map(it -> Map.of(PENDING, new MetricSummary(it, it, it)))
                                        .orElseGet(Map::of)));
    }

    private Optional<Double> pending(URI at) {
        return half(at).flatMap(Half::pending);
    }
}
