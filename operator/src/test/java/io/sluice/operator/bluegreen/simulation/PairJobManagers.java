// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.SavepointRequest;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** The JobManagers of the halves, as one process of the operator of pairs reaches them. */
final class PairJobManagers implements UnaskedByPairs {
    private static final int ERROR = 500;
    private static final String PENDING = "0.Source__orders.pendingRecords";

    private final PairWorld world;
    private final PairOperator operator;
    private final Set<PairFlaws> flaws;

    PairJobManagers(PairWorld world, PairOperator operator, Set<PairFlaws> flaws) {
        this.world = world;
        this.operator = operator;
        this.flaws = flaws;
    }

    private Optional<SimulatedHalf> answering(URI at) {
        return Arrays.stream(HalfColor.values())
                .filter(color -> at.toString().contains(color.nameIn(PairWorld.NAME)))
                .flatMap(color -> world.simulated(color).stream())
                .filter(SimulatedHalf::isLive)
                .findFirst();
    }

    /** Of the job of a half, if the call reaches anybody, and the answer the operator. */
    private <T> Reply<T> ask(
            String what, URI at, String jobId, Function<SimulatedHalf, Reply<T>> answer) {
        if (operator.isCutOff(what)) {
            return new Reply.Unreachable<>("timed out");
        }
        if (world.strikes(8)) {
            world.trace("! " + what + " is refused");
            return switch (world.dice().below(3)) {
                case 0 -> new Reply.JobUnknown<>();
                case 1 -> new Reply.Refused<>(ERROR, "internal error");
                default -> new Reply.Unreachable<>("read timed out");
            };
        }
        Reply<T> reply =
                answering(at)
                        .map(
                                half ->
                                        half.jobId().equals(jobId)
                                                ? answer.apply(half)
                                                : new Reply.JobUnknown<T>())
                        .orElseGet(() -> new Reply.Unreachable<>("connection refused"));
        return operator.isCutOff("the reply to " + what)
                ? new Reply.Unreachable<>("timed out")
                : reply;
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return ask(
                "savepoint of " + jobId,
                at,
                jobId,
                half -> deliver(half, it -> it.ask(named(request.triggerId()))));
    }

    private Reply<Accepted> deliver(SimulatedHalf half, Consumer<SimulatedHalf> request) {
        if (world.strikes(3)) {
            world.trace("! a request comes late");
            half.later(() -> request.accept(half));
            return new Reply.Unreachable<>("timed out");
        }
        request.accept(half);
        if (world.strikes(3)) {
            request.accept(half);
        }
        return new Reply.Ok<>(Accepted.ACCEPTED);
    }

    private String named(String triggerId) {
        return flaws.contains(PairFlaws.TRIGGER_REUSED) ? "the-same" : triggerId;
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        return flaws.contains(PairFlaws.SAVEPOINT_LEFT_BEHIND) && world.promises().isEdited()
                ? new Reply.Ok<>(new SavepointStatus.Failed("left", Optional.empty()))
                : ask(
                        "what became of a savepoint",
                        at,
                        jobId,
                        half -> new Reply.Ok<>(half.savepoint(named(triggerId))));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return ask("checkpoints", at, jobId, _ -> new Reply.Ok<>(Checkpoints.NONE));
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        AtomicReference<Optional<SimulatedHalf>> restarted =
                new AtomicReference<>(Optional.empty());
        Reply<Map<String, Double>> reply =
                ask(
                        "metrics",
                        at,
                        jobId,
                        half -> {
                            restarted.set(Optional.of(half).filter(it -> it.restarts() > 0));
                            return new Reply.Ok<>(metrics(half));
                        });
        if (reply instanceof Reply.Ok<Map<String, Double>>) {
            restarted.get().ifPresent(world.analysis()::toldOfRestart);
        }
        return reply;
    }

    private Map<String, Double> metrics(SimulatedHalf half) {
        return Map.of(
                "numRestarts",
                flaws.contains(PairFlaws.RESTARTS_OVERLOOKED) ? 0.0 : (double) half.restarts(),
                "numberOfCompletedCheckpoints",
                (double) world.analysis().checkpoints(half));
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        return ask(
                "plan",
                at,
                jobId,
                _ -> new Reply.Ok<>(List.of(new PlanNode("01", true), new PlanNode("02", false))));
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        return ask(
                "names of metrics",
                at,
                jobId,
                half ->
                        new Reply.Ok<>(
                                half.pending().map(_ -> List.of(PENDING)).orElseGet(List::of)));
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        return ask(
                "metrics of subtasks",
                at,
                jobId,
                half ->
                        new Reply.Ok<>(
                                half.pending()
                                        .map(it -> Map.of(PENDING, new MetricSummary(it, it, it)))
                                        .orElseGet(Map::of)));
    }
}
