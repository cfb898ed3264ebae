// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.PlanNode;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.analysis.Figures.Watermark;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a JobManager how far its job is. Its metrics are those that Flink has fetched when it was
 * last asked for some: a look sees what the former look has had fetched.
 *
 * @param rest asks JobManagers
 */
public record ProgressReader(JobManagerRest rest) {
    /** Each costs a request, or two. */
    private static final int MOST_VERTICES = 100;

    private static final String PENDING = ".pendingRecords";
    private static final String WATERMARK_IN = "currentInputWatermark";
    private static final String WATERMARK_OUT = ".currentOutputWatermark";

    /**
     * What is to be found out.
     *
     * @param pending whether the pending records are
     * @param watermark whether the watermark is
     */
    public record Wanted(boolean pending, boolean watermark) {
        boolean isAnything() {
            return pending || watermark;
        }
    }

    /** What is not wanted, or not answered, is unknown. */
    public Progress read(URI at, String jobId, Wanted wanted) {
        if (!wanted.isAnything()) {
            return Progress.UNKNOWN;
        }
        List<PlanNode> plan = rest.plan(at, jobId).answer().orElse(List.of());
        if (plan.isEmpty() || plan.size() > MOST_VERTICES) {
            return Progress.UNKNOWN;
        }
        Job job = new Job(at, jobId);
        return new Progress(
                wanted.pending() ? pending(job, plan) : Optional.empty(),
                wanted.watermark() ? watermark(job, plan) : Optional.empty());
    }

    private record Job(URI at, String id) {}

    /** The sum over all sources that tell it; unknown if one of them does not answer. */
    private Optional<Double> pending(Job job, List<PlanNode> plan) {
        List<Double> sums = new ArrayList<>();
        for (PlanNode source : plan.stream().filter(PlanNode::isSource).toList()) {
            Optional<Map<String, MetricSummary>> found = measured(job, source, PENDING);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            found.get().values().forEach(each -> sums.add(each.sum()));
        }
        return sums.isEmpty()
                ? Optional.empty()
                : Optional.of(sums.stream().mapToDouble(Double::doubleValue).sum());
    }

    /**
     * The metrics of operators in a vertex whose names end so; empty if they are not known, and no
     * entries if there are none.
     */
    private Optional<Map<String, MetricSummary>> measured(Job job, PlanNode vertex, String end) {
        Optional<List<String>> names =
                rest.subtaskMetricNames(job.at(), job.id(), vertex.id())
                        .answer()
                        .filter(all -> !all.isEmpty())
                        .map(all -> all.stream().filter(name -> name.endsWith(end)).toList());
        if (names.filter(List::isEmpty).isPresent()) {
            return Optional.of(Map.of());
        }
        return names.flatMap(
                some ->
                        rest.subtaskMetrics(job.at(), job.id(), vertex.id(), some)
                                .answer()
                                .filter(found -> found.size() == some.size()));
    }

    /**
     * The lowest that has come to the vertices of a job: a subtask of a source without anything to
     * read has none, and holds up nobody. Of a job that is one vertex, the lowest that its source
     * sends on.
     */
    private Optional<Watermark> watermark(Job job, List<PlanNode> plan) {
        List<PlanNode> receiving = plan.stream().filter(node -> !node.isSource()).toList();
        List<Double> lowest = new ArrayList<>();
        for (PlanNode vertex : receiving.isEmpty() ? plan : receiving) {
            Optional<Map<String, MetricSummary>> found =
                    vertex.isSource()
                            ? measured(job, vertex, WATERMARK_OUT)
                            : rest.subtaskMetrics(
                                            job.at(), job.id(), vertex.id(), List.of(WATERMARK_IN))
                                    .answer();
            if (found.filter(it -> !it.isEmpty()).isEmpty()) {
                return Optional.empty();
            }
            found.get().values().forEach(each -> lowest.add(each.min()));
        }
        return lowest(lowest);
    }

    /** The highest that there is says that nothing comes any more, the lowest that nothing came. */
    private static Optional<Watermark> lowest(List<Double> watermarks) {
        List<Double> open = watermarks.stream().filter(it -> it < Long.MAX_VALUE).toList();
        List<Double> known = open.stream().filter(it -> it > Long.MIN_VALUE).toList();
        return known.stream()
                .min(Double::compare)
                .map(it -> new Watermark(it, known.size() == open.size()));
    }
}
