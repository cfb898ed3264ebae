// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import io.sluice.operator.model.ClusterHealth;
import io.sluice.operator.model.ClusterHealth.Counters;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ScalingView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Counts what happens to the jobs whose health is watched, by resource uid. Kept in memory only;
 * what the status holds is where a new process goes on from, if it is not too old.
 *
 * <p>A job that is scaled in place restarts without being ill: Flink 2 counts such rescales, which
 * are taken off; of Flink 1 every change of the vertices' parallelism that is seen is taken for
 * one.
 */
public final class HealthMonitor {
    private static final String RESTARTS = "numRestarts";
    private static final String FULL_RESTARTS = "fullRestarts";
    private static final String RESCALES = "numRescales";
    private static final String CHECKPOINTS = "numberOfCompletedCheckpoints";
    private static final List<String> NAMES =
            List.of(RESTARTS, FULL_RESTARTS, RESCALES, CHECKPOINTS);

    /** Whose health it is. */
    record Subject(
            String uid,
            FlinkDeploymentStatus status,
            ClusterHealth.Thresholds limits,
            JobView job,
            ScalingView scaling) {
        Optional<String> attempt() {
            return status.attempt().id().or(() -> status.jobStatus().jobId());
        }
    }

    /**
     * @param seen the counter as Flink last had it
     * @param forgiven how much of it is rescales
     * @param counted what is left; it falls only when Flink's own counter does
     */
    private record Watched(
            Optional<String> attempt,
            ClusterHealth health,
            long seen,
            long forgiven,
            long counted,
            Map<String, Integer> parallelism) {}

    private final Map<String, Watched> byUid = new ConcurrentHashMap<>();

    /** Empty where health is not watched, or where Flink has not said. */
    Optional<ClusterHealth> judge(
            Subject subject,
            Function<List<String>, Reply<Map<String, Double>>> metrics,
            Instant now) {
        if (!subject.limits().enabled()
                || !(subject.job() instanceof JobView.Seen seen)
                || seen.state().isTerminal()) {
            byUid.remove(subject.uid());
            return Optional.empty();
        }
        Optional<Watched> before =
                Optional.ofNullable(byUid.get(subject.uid()))
                        .filter(watched -> watched.attempt().equals(subject.attempt()));
        Optional<Watched> next =
                metrics.apply(NAMES)
                        .answer()
                        .filter(told -> restarts(told).isPresent())
                        .map(told -> next(subject, before, told, now));
        next.ifPresent(watched -> byUid.put(subject.uid(), watched));
        return next.or(() -> before).map(Watched::health);
    }

    private static Optional<Double> restarts(Map<String, Double> told) {
        return Optional.ofNullable(told.get(RESTARTS))
                .or(() -> Optional.ofNullable(told.get(FULL_RESTARTS)));
    }

    private static Watched next(
            Subject subject, Optional<Watched> before, Map<String, Double> told, Instant now) {
        long rescales = told.getOrDefault(RESCALES, 0.0).longValue();
        long seen = Math.max(0, restarts(told).orElseThrow().longValue() - rescales);
        Map<String, Integer> parallelism = parallelism(subject.scaling());
        boolean fell = before.filter(it -> seen < it.seen()).isPresent();
        long forgiven =
                fell || told.containsKey(RESCALES)
                        ? 0
                        : before.map(it -> forgiven(it, parallelism)).orElse(0L);
        long counted =
                fell ? seen : Math.max(seen - forgiven, before.map(Watched::counted).orElse(0L));
        long checkpoints = told.getOrDefault(CHECKPOINTS, 0.0).longValue();
        Counters counters = new Counters(counted, checkpoints);
        ClusterHealth health =
                before.map(Watched::health)
                        .or(() -> remembered(subject, now))
                        .map(it -> it.next(counters, subject.limits(), now))
                        .orElseGet(() -> ClusterHealth.first(counters, now));
        return new Watched(
                subject.attempt(),
                health,
                seen,
                forgiven,
                counted,
                parallelism.isEmpty()
                        ? before.map(Watched::parallelism).orElseGet(Map::of)
                        : parallelism);
    }

    /** One more where the parallelism is another than before. */
    private static long forgiven(Watched before, Map<String, Integer> parallelism) {
        boolean rescaled =
                !before.parallelism().isEmpty()
                        && !parallelism.isEmpty()
                        && !before.parallelism().equals(parallelism);
        return before.forgiven() + (rescaled ? 1 : 0);
    }

    private static Map<String, Integer> parallelism(ScalingView scaling) {
        return switch (scaling) {
            case ScalingView.Known(var vertices, _) ->
                    vertices.stream()
                            .collect(Collectors.toMap(JobVertex::id, JobVertex::parallelism));
            case ScalingView.TaskManagers(var standing) ->
                    standing.map(count -> Map.of("TaskManagers", count)).orElseGet(Map::of);
            case ScalingView.NotAsked _, ScalingView.ByRestart _, ScalingView.Unavailable _ ->
                    Map.of();
        };
    }

    /**
     * What the status remembers. Restarts are counted on from there only within the window: what
     * happened in a longer gap can't be told from a burst.
     */
    private static Optional<ClusterHealth> remembered(Subject subject, Instant now) {
        return Optional.ofNullable(subject.status().clusterInfo().get(ClusterHealth.KEY))
                .flatMap(ClusterHealth::decode)
                .filter(
                        health ->
                                Duration.between(health.restartsSince(), now)
                                                .compareTo(subject.limits().restartWindow())
                                        <= 0);
    }
}
