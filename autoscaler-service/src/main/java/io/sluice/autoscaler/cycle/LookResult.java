// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.decide.Measure;
import io.sluice.autoscaler.explain.Pace;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.explain.VertexView;
import io.sluice.autoscaler.govern.Budget;
import io.sluice.autoscaler.govern.Consumption;
import io.sluice.flink.rest.JobDetails;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What one look gave, for those who explain it. */
public record LookResult(
        List<VertexView> vertices,
        Graph graph,
        Verdict verdict,
        Optional<Duration> restart,
        Optional<Consumption> consumption,
        Pace pace,
        int budgetOfDay,
        List<String> ignored) {

    static LookResult waiting(String why) {
        return of(new Verdict.Waiting(why));
    }

    static LookResult of(Verdict verdict) {
        return new LookResult(
                List.of(),
                Graph.EMPTY,
                verdict,
                Optional.empty(),
                Optional.empty(),
                Pace.UNKNOWN,
                Budget.DEFAULT.perDay(),
                List.of());
    }

    static LookResult of(JobDetails job, Map<String, Integer> published, Verdict verdict) {
        return new LookResult(
                views(job, published, Map.of()),
                Graph.EMPTY,
                verdict,
                Optional.empty(),
                Optional.empty(),
                Pace.UNKNOWN,
                Budget.DEFAULT.perDay(),
                List.of());
    }

    public static LookResult of(
            JobDetails job,
            Map<String, Integer> published,
            CycleResult cycleResult,
            Verdict verdict) {
        return new LookResult(
                views(job, published, cycleResult.evaluation().seen()),
                cycleResult.evaluation().graph(),
                verdict,
                Optional.of(cycleResult.proposal().restart()),
                Optional.of(cycleResult.consumption()),
                cycleResult.pace(),
                cycleResult.budget().perDay(),
                cycleResult.ignored());
    }

    static List<VertexView> views(
            JobDetails job,
            Map<String, Integer> published,
            Map<String, SortedMap<String, Measure>> seen) {
        return job.vertices().stream()
                .map(
                        vertex ->
                                new VertexView(
                                        vertex.id(),
                                        vertex.name(),
                                        vertex.parallelism(),
                                        vertex.maxParallelism(),
                                        Optional.ofNullable(published.get(vertex.id())),
                                        seen.getOrDefault(
                                                vertex.id(), Collections.emptySortedMap())))
                .toList();
    }
}
