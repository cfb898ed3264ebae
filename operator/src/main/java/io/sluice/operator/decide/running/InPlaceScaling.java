// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.DeploymentMode;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.manifest.ClusterPlan;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.ScalingView;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Carries the autoscaler's wish to a job that runs: new bounds for its vertices, and no restart.
 */
public final class InPlaceScaling {
    private InPlaceScaling() {}

    static Decision decide(StepContext context) {
        Optional<Duration> steady = Optional.of(context.observed().polls().steady());
        return switch (context.observed().scaling()) {
            case ScalingView.NotAsked _, ScalingView.ByRestart _ ->
                    context.decide(Reason.JOB_RUNNING, "", steady);
            case ScalingView.TaskManagers(var standing) ->
                    scaleTaskManagers(context, standing)
                            .orElseGet(() -> context.decide(Reason.JOB_RUNNING, "", steady));
            case ScalingView.Unavailable(var message) ->
                    context.withEvent(
                                    ResourceEvent.warning(
                                            "Job",
                                            Reason.SCALING_UNAVAILABLE,
                                            context.jobId(),
                                            Reason.SCALING_UNAVAILABLE.text()))
                            .decide(Reason.SCALING_UNAVAILABLE, message, steady);
            case ScalingView.Known(var vertices, var bounds) ->
                    compareParallelism(context, vertices, bounds);
        };
    }

    /**
     * Whether another size takes no restart (docs/contract/reconciler.md, section 7): of a
     * standalone cluster, whose job is reactive or that holds none of its own, by its TaskManagers
     * alone; of a job by the bounds that the adaptive scheduler is given. Which scheduler runs the
     * job is what its cluster was started with, whatever the defaults say by now.
     */
    public static boolean isInPlace(StepContext context) {
        Options options = context.asStarted();
        return context.spec().mode() == DeploymentMode.STANDALONE
                ? context.spec().job().isEmpty() || options.isReactive()
                : options.isScaledInPlace(context.version());
    }

    /** Scales a standalone session cluster; empty if it has the TaskManagers that it is to have. */
    public static Optional<Decision> scaleSessionCluster(StepContext context) {
        return context.observed().scaling() instanceof ScalingView.TaskManagers(var standing)
                ? scaleTaskManagers(context, standing)
                : Optional.empty();
    }

    private static Optional<Decision> scaleTaskManagers(
            StepContext context, Optional<Integer> standing) {
        int wanted = ClusterPlan.taskManagers(context.spec(), context.effective());
        boolean asWanted = !isInPlace(context) || standing.filter(now -> now != wanted).isEmpty();
        if (asWanted) {
            return Optional.empty();
        }
        String moves = "TaskManagers from " + standing.orElseThrow() + " to " + wanted;
        return Optional.of(
                context.withEvent(
                                ResourceEvent.of(
                                        "Job",
                                        OperatorEvent.SCALING,
                                        context.attempt().orElse("") + "/" + moves,
                                        "Scaling in place: " + moves))
                        .decide(
                                Reason.SCALING_IN_PLACE,
                                moves,
                                Optional.of(context.soon()),
                                ClusterActions.taskManagers(context)));
    }

    private static Decision compareParallelism(
            StepContext context, List<JobVertex> vertices, Map<String, ParallelismBounds> bounds) {
        Map<String, ParallelismBounds> wanted =
                wanted(vertices, bounds, context.observed().overrides());
        List<JobVertex> moving =
                vertices.stream()
                        .filter(vertex -> target(vertex, wanted) != vertex.parallelism())
                        .toList();
        if (wanted.equals(bounds)) {
            return moving.isEmpty()
                    ? context.decide(
                            Reason.JOB_RUNNING,
                            "",
                            Optional.of(context.observed().polls().steady()))
                    : context.decide(
                            Reason.SCALING_IN_PLACE,
                            describe(moving, wanted),
                            Optional.of(context.soon()));
        }
        String moves = describe(moving, wanted);
        return context.withEvent(
                        ResourceEvent.of(
                                "Job",
                                OperatorEvent.SCALING,
                                context.jobId() + "/" + moves,
                                "Scaling in place: " + moves))
                .decide(
                        Reason.SCALING_IN_PLACE,
                        moves,
                        Optional.of(context.soon()),
                        new Action.ScaleInPlace(context.jobId(), wanted));
    }

    /**
     * Upper bound = target, lower bound = at most what it was; a vertex nobody speaks of keeps its
     * bounds.
     */
    private static Map<String, ParallelismBounds> wanted(
            List<JobVertex> vertices,
            Map<String, ParallelismBounds> bounds,
            Map<String, Integer> overrides) {
        Map<String, ParallelismBounds> wanted = new TreeMap<>(bounds);
        for (JobVertex vertex : vertices) {
            Optional<Integer> override = Optional.ofNullable(overrides.get(vertex.id()));
            Optional<ParallelismBounds> before = Optional.ofNullable(bounds.get(vertex.id()));
            if (override.isPresent() && before.isPresent()) {
                int target = Math.clamp(override.get(), 1, Math.max(1, vertex.maxParallelism()));
                wanted.put(
                        vertex.id(),
                        new ParallelismBounds(Math.min(target, before.get().lower()), target));
            }
        }
        return wanted;
    }

    private static int target(JobVertex vertex, Map<String, ParallelismBounds> wanted) {
        return Optional.ofNullable(wanted.get(vertex.id()))
                .map(ParallelismBounds::upper)
                .orElse(vertex.parallelism());
    }

    private static String describe(List<JobVertex> moving, Map<String, ParallelismBounds> wanted) {
        return moving.stream()
                .map(
                        vertex ->
                                vertex.name()
                                        + " from "
                                        + vertex.parallelism()
                                        + " to "
                                        + target(vertex, wanted))
                .collect(Collectors.joining(", "));
    }
}
