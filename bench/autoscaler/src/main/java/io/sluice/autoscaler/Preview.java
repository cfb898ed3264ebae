// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.prometheus.client.CollectorRegistry;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.autoscaler.publish.JobMetrics;
import io.sluice.autoscaler.share.Member;
import io.sluice.autoscaler.share.Peers;
import io.sluice.autoscaler.share.Share;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.process.access.Access;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.management.ManagementServer.Health;
import io.sluice.process.management.PortMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** The real server with its page, showing jobs that a simulation lived through. */
public final class Preview implements AutoCloseable {
    private final Explanations explanations = new Explanations();
    private final Map<JobKey, Tally> tallies = new HashMap<>();
    private final ManagementServer edge;

    public Preview(int port) {
        CollectorRegistry registry = new CollectorRegistry();
        registry.register(new JobMetrics(explanations));
        Share alone = Share.alone(new Member("preview", Optional.empty()));
        edge =
                Edge.start(
                        port,
                        registry,
                        new Answers(
                                explanations,
                                () -> alone,
                                new Peers(Optional::empty, AnswerLimits.DEFAULT),
                                Access.OPEN),
                        new Health(List::of, List::of),
                        Access.OPEN,
                        PortMetrics.of(registry));
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
            Course course,
            SortedMap<String, Integer> published,
            int ofDay) {
        Tally tally = tallies.computeIfAbsent(key, _ -> new Tally());
        Sight sight = Sight.of(job, published, course, verdict(course, tally));
        explanations.put(
                tally.explained(
                        new Explanation(
                                key,
                                course.proposal().now(),
                                sight.vertices(),
                                sight.graph(),
                                sight.verdict(),
                                new Counts(
                                        tally.scalings(),
                                        tally.failures(),
                                        0,
                                        tally.holds(),
                                        Map.of(),
                                        ofDay,
                                        sight.budgetOfDay()),
                                sight.restart(),
                                sight.ignored(),
                                tally.timeline())));
    }

    @Override
    public void close() {
        edge.close();
    }

    private static Verdict verdict(Course course, Tally tally) {
        return switch (course.plan()) {
            case ScalePlan.Apply(var overrides, _) -> {
                tally.scaled();
                yield new Verdict.Scaled(overrides, course.fitted());
            }
            case ScalePlan.Hold(var reason, _) when reason == HoldReason.NOTHING_CHANGED ->
                    course.evaluation().windowFull()
                            ? new Verdict.Balanced()
                            : new Verdict.Collecting(course.evaluation().samples());
            case ScalePlan.Hold(var reason, var until) -> {
                tally.held(reason);
                yield new Verdict.Held(reason, until, course.proposal().overrides());
            }
        };
    }
}
