// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.prometheus.client.CollectorRegistry;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.cycle.CycleResult;
import io.sluice.autoscaler.cycle.JobCounters;
import io.sluice.autoscaler.cycle.LookResult;
import io.sluice.autoscaler.edge.Edge;
import io.sluice.autoscaler.edge.Responses;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.HourlyHistory;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.autoscaler.publish.JobMetrics;
import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Share;
import io.sluice.flink.rest.JobDetails;
import io.sluice.process.access.Access;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** The real server with its page, showing jobs that a simulation lived through. */
public final class Preview implements AutoCloseable {
    private final Explanations explanations = new Explanations();
    private final Map<JobKey, JobCounters> tallies = new HashMap<>();
    private final Map<JobKey, HourlyHistory> hours = new HashMap<>();
    private final ManagementServer edge;

    public Preview(int port) {
        CollectorRegistry registry = new CollectorRegistry();
        registry.register(new JobMetrics(explanations));
        Share alone = Share.alone(new Member("preview", Optional.empty()));
        edge =
                Edge.start(
                        port,
                        registry,
                        new Responses(
                                explanations,
                                () -> alone,
                                new Peers(Optional::empty, JobManagerLimits.DEFAULT.answers()),
                                Access.OPEN),
                        new Health(List::of, List::of),
                        Access.OPEN,
                        PortMetrics.of(new Series(registry)));
    }

    public int port() {
        return edge.port();
    }

    /**
     * One look at a job.
     *
     * @param published by vertex id, after the look
     * @param ofDay rescales of the last 24 hours
     */
    public void show(
            JobKey key,
            JobDetails job,
            CycleResult cycleResult,
            SortedMap<String, Integer> published,
            int ofDay) {
        JobCounters counters = tallies.computeIfAbsent(key, _ -> new JobCounters());
        LookResult result =
                LookResult.of(job, published, cycleResult, verdict(cycleResult, counters));
        explanations.put(
                counters.explained(
                        new Explanation(
                                key,
                                cycleResult.proposal().now(),
                                result.vertices(),
                                result.graph(),
                                result.verdict(),
                                new Counts(
                                        counters.scalings(),
                                        counters.failures(),
                                        0,
                                        counters.holds(),
                                        Map.of(),
                                        ofDay,
                                        result.budgetOfDay()),
                                result.restart(),
                                result.consumption(),
                                counters.behind(result.pace(), cycleResult.proposal().now()),
                                result.ignored(),
                                counters.timeline(),
                                hours.computeIfAbsent(key, _ -> new HourlyHistory()))));
    }

    @Override
    public void close() {
        edge.close();
    }

    private static Verdict verdict(CycleResult cycleResult, JobCounters counters) {
        return switch (cycleResult.plan()) {
            case ScalePlan.Apply(var overrides, _) -> {
                counters.scaled();
                yield new Verdict.Scaled(
                        overrides, cycleResult.fitted(), cycleResult.governed().leftOut());
            }
            case ScalePlan.Hold(var reason, _) when reason == HoldReason.NOTHING_CHANGED ->
                    cycleResult.evaluation().windowFull()
                            ? new Verdict.Balanced()
                            : new Verdict.Collecting(cycleResult.evaluation().samples());
            case ScalePlan.Hold(var reason, var until) -> {
                counters.held(reason);
                yield new Verdict.Held(reason, until, cycleResult.proposal().overrides());
            }
        };
    }
}
