// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.Accepted;
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
import io.sluice.flink.rest.tls.RestTls;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The port over the JDK's HTTP clients. Safe for many threads; one instance serves all clusters,
 * and keeps no connection to any of them for long.
 */
public final class HttpJobManagerRest implements JobManagerRest, AutoCloseable {
    private static final Pattern NO_CHECKPOINTING =
            Pattern.compile("Checkpointing (has not been|is not) enabled");

    private final Exchange exchange;

    public HttpJobManagerRest(HttpLimits limits) {
        this(limits, Waiting.direct(), RestTls.ofJdk());
    }

    /**
     * @param waiting what is done around each exchange, all of which is a wait
     * @param tls for JobManagers whose address begins with {@code https}
     */
    public HttpJobManagerRest(HttpLimits limits, Waiting waiting, RestTls tls) {
        exchange = new Exchange(limits, waiting, tls);
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        return exchange.get(at, "/config", Bodies::config);
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        return exchange.list(at, "/jobs/overview", Bodies::jobs);
    }

    @Override
    public Reply<JobDetails> job(URI at, String jobId) {
        Reply<JobDetails> reply = exchange.listOfJob(at, jobId, "", Bodies::job);
        return reply instanceof Reply.Refused<JobDetails>(var status, _) && status == 500
                ? jobWithoutGraph(at, jobId).orElse(reply)
                : reply;
    }

    @Override
    public Reply<Map<String, String>> jobConfiguration(URI at, String jobId) {
        return exchange.listOfJob(at, jobId, "/jobmanager/config", Bodies::configuration);
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        return exchange.listOfJob(at, jobId, "/exceptions", Bodies::exceptions);
    }

    @Override
    public Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        return exchange.listOfJob(
                at, jobId, "/resource-requirements", Bodies::resourceRequirements);
    }

    @Override
    public Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        return exchange.put(
                at,
                jobId,
                "/resource-requirements",
                Bodies.ofResourceRequirements(bounds).toString());
    }

    @Override
    public Reply<Accepted> cancel(URI at, String jobId) {
        return exchange.patch(at, jobId, "?mode=cancel");
    }

    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        return exchange.post(at, jobId, "/stop", StateBodies.ofStop(request).toString());
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        Reply<SavepointStatus> reply =
                exchange.getOfJob(at, jobId, "/savepoints/" + triggerId, StateBodies::savepoint);
        return knownOr(reply, new SavepointStatus.Unknown());
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return exchange.post(at, jobId, "/savepoints", StateBodies.ofSavepoint(request).toString());
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        return exchange.post(
                at, jobId, "/checkpoints", StateBodies.ofCheckpoint(request).toString());
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        Reply<CheckpointStatus> reply =
                exchange.getOfJob(at, jobId, "/checkpoints/" + triggerId, StateBodies::checkpoint);
        return knownOr(reply, new CheckpointStatus.Unknown());
    }

    @Override
    public Reply<String> disposeSavepoint(URI at, String path) {
        return exchange.post(
                at,
                "/savepoint-disposal",
                StateBodies.ofDisposal(path).toString(),
                StateBodies::request);
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        Reply<DisposalStatus> reply =
                exchange.get(
                        at,
                        "/savepoint-disposal/" + Exchange.encoded(requestId),
                        StateBodies::disposal);
        return knownOr(reply, new DisposalStatus.Unknown());
    }

    @Override
    public Reply<Integer> taskManagers(URI at) {
        return exchange.list(at, "/taskmanagers", Bodies::taskManagers);
    }

    /** A 404 to a request's id says that this process does not know the request. */
    private static <T> Reply<T> knownOr(Reply<T> reply, T unknown) {
        boolean isUnknown =
                reply instanceof Reply.JobUnknown<T>
                        || (reply instanceof Reply.Refused<T>(var status, _)
                                && status == HttpURLConnection.HTTP_NOT_FOUND);
        return isUnknown ? new Reply.Ok<>(unknown) : reply;
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return enabledOr(
                exchange.listOfJob(at, jobId, "/checkpoints", StateBodies::checkpoints),
                Checkpoints.NONE);
    }

    @Override
    public Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId) {
        return exchange.listOfJob(
                at, jobId, "/checkpoints/details/" + checkpointId, StateBodies::details);
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        return enabledOr(
                exchange.getOfJob(at, jobId, "/checkpoints/config", StateBodies::retention),
                CheckpointRetention.NO_CHECKPOINTS);
    }

    /**
     * Without checkpointing Flink answers 404 and says so; any other 404 must not be taken for a
     * job that has no state.
     */
    private static <T> Reply<T> enabledOr(Reply<T> reply, T none) {
        return reply instanceof Reply.Refused<T>(var status, var message)
                        && status == HttpURLConnection.HTTP_NOT_FOUND
                        && NO_CHECKPOINTING.matcher(message).find()
                ? new Reply.Ok<>(none)
                : reply;
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        return exchange.listOfJob(
                at,
                jobId,
                "/metrics?get=" + String.join(",", names),
                body ->
                        Bodies.metrics(
                                body, Collections.unmodifiableSet(new LinkedHashSet<>(names))));
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        return exchange.listOfJob(at, jobId, "/plan", MetricBodies::plan);
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        return exchange.listOfJob(at, jobId, ofSubtasks(vertexId), MetricBodies::names);
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        String get = names.stream().map(Exchange::encoded).collect(Collectors.joining(","));
        return exchange.listOfJob(
                at,
                jobId,
                ofSubtasks(vertexId) + "?get=" + get + "&agg=min,max,sum",
                body ->
                        MetricBodies.summaries(
                                body, Collections.unmodifiableSet(new LinkedHashSet<>(names))));
    }

    private static String ofSubtasks(String vertexId) {
        return "/vertices/" + Exchange.encoded(vertexId) + "/subtasks/metrics";
    }

    @Override
    public Reply<JobResult> result(URI at, String jobId) {
        return exchange.getOfJob(at, jobId, "/execution-result", StateBodies::result);
    }

    @Override
    public Reply<String> uploadJar(URI at, JarUpload upload) {
        return exchange.upload(at, "/jars/upload", upload, JarBodies::jarId);
    }

    @Override
    public Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        return JarBodies.submission(
                exchange.post(
                        at,
                        "/jars/" + Exchange.encoded(jarId) + "/run",
                        JarBodies.ofRun(request).toString(),
                        request.patience()));
    }

    @Override
    public Reply<Accepted> deleteJar(URI at, String jarId) {
        return exchange.delete(at, "/jars/" + Exchange.encoded(jarId));
    }

    /** What is made of a whole answer's bytes. */
    @FunctionalInterface
    public interface Whole<T> {
        T of(byte[] json) throws IOException;
    }

    /**
     * {@code GET uri} for somebody who makes objects of all of the answer, by other means. What is
     * handed on is JSON, and within the limits; it takes its room among all large answers until
     * {@code use} is done.
     *
     * @throws AnswerTooLarge if a limit is exceeded
     * @throws IOException if there was no complete answer in time, or none with status 200
     */
    public <T> T whole(URI uri, Duration time, Whole<T> use) throws IOException {
        return exchange.whole(uri, time, use);
    }

    @Override
    public void close() {
        exchange.close();
    }

    /**
     * A job whose {@code main()} threw is listed, but Flink 1.20 answers 500 to its details, where
     * 2.x tells of a job without vertices.
     */
    private Optional<Reply<JobDetails>> jobWithoutGraph(URI at, String jobId) {
        return jobs(at).answer().stream()
                .flatMap(List::stream)
                .filter(job -> job.id().equals(jobId))
                .findFirst()
                .map(job -> new JobDetails(jobId, job.name(), job.state(), List.of()))
                .map(Reply.Ok::new);
    }
}
