// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobResult;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.Submission;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Clusters in memory, by their address; at any other address nobody answers. Passes the same suite
 * as the HTTP adapter in front of a real Flink. Rescaling, cancelling and stopping take effect at
 * once, unless a job is told to hold its stops.
 */
public final class FakeJobManager implements JobManagerRest {
    private final Map<URI, FakeCluster> clusters;
    private final int mostVertices;

    public FakeJobManager() {
        this(new ConcurrentHashMap<>(), Integer.MAX_VALUE);
    }

    private FakeJobManager(Map<URI, FakeCluster> clusters, int mostVertices) {
        this.clusters = clusters;
        this.mostVertices = mostVertices;
    }

    /** The same clusters, of whose jobs no more than so many vertices are read. */
    public FakeJobManager readingVertices(int most) {
        return new FakeJobManager(clusters, most);
    }

    /** Starts an empty cluster at {@code at}; replaces the one that was there. */
    public FakeCluster start(URI at) {
        FakeCluster cluster = new FakeCluster();
        clusters.put(at, cluster);
        return cluster;
    }

    /** The cluster is gone: nobody answers at {@code at} any more. */
    public void stop(URI at) {
        clusters.remove(at);
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.config()));
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.overviews()));
    }

    @Override
    public Reply<JobDetails> job(URI at, String jobId) {
        return ofJob(
                at,
                jobId,
                job ->
                        job.details().vertices().size() > mostVertices
                                ? new Reply.TooLarge<>(
                                        AnswerLimit.VERTICES, "more than " + mostVertices)
                                : new Reply.Ok<>(job.details()));
    }

    /** Its cluster's, whatever the job. */
    @Override
    public Reply<Map<String, String>> jobConfiguration(URI at, String jobId) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.configuration()));
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        return ofJob(at, jobId, job -> new Reply.Ok<>(job.exceptions()));
    }

    @Override
    public Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        return ofJob(at, jobId, FakeJob::requirements);
    }

    @Override
    public Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        return changeJob(at, jobId, job -> job.require(bounds));
    }

    @Override
    public Reply<Accepted> cancel(URI at, String jobId) {
        return changeJob(at, jobId, FakeJob::cancel);
    }

    /** Taken up for any job, as Flink does; the truth comes with {@link #savepoint}. */
    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        return change(
                at,
                cluster -> {
                    cluster.stop(jobId, request);
                    return new Reply.Ok<>(Accepted.ACCEPTED);
                });
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.savepoint(jobId, triggerId)));
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return change(
                at,
                cluster -> {
                    cluster.savepoint(jobId, request);
                    return new Reply.Ok<>(Accepted.ACCEPTED);
                });
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        return change(
                at,
                cluster -> {
                    cluster.checkpoint(jobId, request.triggerId());
                    return new Reply.Ok<>(Accepted.ACCEPTED);
                });
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.checkpointStatus(jobId, triggerId)));
    }

    @Override
    public Reply<String> disposeSavepoint(URI at, String path) {
        return change(at, cluster -> new Reply.Ok<>(cluster.dispose(path)));
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.disposal(requestId)));
    }

    /** One for each job that runs. */
    @Override
    public Reply<Integer> taskManagers(URI at) {
        return ask(at, cluster -> new Reply.Ok<>(cluster.overviews().size()));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return ofJob(at, jobId, job -> new Reply.Ok<>(job.checkpoints()));
    }

    @Override
    public Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId) {
        return ofJob(at, jobId, job -> job.checkpointDetails(checkpointId));
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        return ofJob(at, jobId, job -> new Reply.Ok<>(job.retention()));
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        return ofJob(at, jobId, job -> new Reply.Ok<>(job.metrics(names)));
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        return ofJob(at, jobId, job -> new Reply.Ok<>(job.plan()));
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        return ofJob(
                at,
                jobId,
                job -> new Reply.Ok<>(List.copyOf(job.subtaskMetrics(vertexId).keySet())));
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        return ofJob(
                at,
                jobId,
                job -> {
                    Map<String, MetricSummary> found = job.subtaskMetrics(vertexId);
                    if (!found.keySet().containsAll(names)) {
                        found.clear();
                    }
                    found.keySet().retainAll(names);
                    return new Reply.Ok<>(found);
                });
    }

    @Override
    public Reply<JobResult> result(URI at, String jobId) {
        return ofJob(at, jobId, job -> new Reply.Ok<>(job.result()));
    }

    @Override
    public Reply<String> uploadJar(URI at, JarUpload upload) {
        return change(at, cluster -> cluster.jars().upload(upload));
    }

    @Override
    public Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        return change(at, cluster -> cluster.jars().run(cluster, jarId, request));
    }

    @Override
    public Reply<Accepted> deleteJar(URI at, String jarId) {
        return change(at, cluster -> cluster.jars().delete(jarId));
    }

    private <T> Reply<T> changeJob(URI at, String jobId, Function<FakeJob, Reply<T>> call) {
        return change(at, cluster -> cluster.job(jobId).map(call).orElseGet(Reply.JobUnknown::new));
    }

    private <T> Reply<T> change(URI at, Function<FakeCluster, Reply<T>> call) {
        return ask(
                at,
                cluster -> {
                    cluster.changed();
                    return call.apply(cluster);
                });
    }

    private <T> Reply<T> ofJob(URI at, String jobId, Function<FakeJob, Reply<T>> call) {
        return ask(at, cluster -> cluster.job(jobId).map(call).orElseGet(Reply.JobUnknown::new));
    }

    private <T> Reply<T> ask(URI at, Function<FakeCluster, Reply<T>> call) {
        return Optional.ofNullable(clusters.get(at))
                .filter(FakeCluster::answers)
                .map(cluster -> cluster.<T>refusal().orElseGet(() -> call.apply(cluster)))
                .orElseGet(() -> new Reply.Unreachable<>("nobody answers at " + at));
    }
}
