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
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Spares callers the wait for a JobManager that has not answered several times in a row, or once
 * after a long wait: they get the last {@link Reply.Unreachable} again at once, in the same words,
 * and one of them asks again when the pause is over. A question whose answer was too large is asked
 * again after a pause of its own.
 */
public final class CircuitBreaker implements JobManagerRest {
    private static final Circuit NEW = new Circuit.Closed(0);

    /** Whoever is not asked for so long is gone, and its address with it. */
    private static final Duration MISSED = Duration.ofHours(1);

    /**
     * One that did not answer when it was asked last.
     *
     * @param why it did not
     */
    private record Watched(Circuit circuit, String why, Instant asked) {}

    private final JobManagerRest rest;
    private final BreakerSettings settings;
    private final InstantSource clock;
    private final Map<URI, Watched> circuits;
    private final LargeAnswers large;

    public CircuitBreaker(JobManagerRest rest, BreakerSettings settings, InstantSource clock) {
        this.rest = rest;
        this.settings = settings;
        this.clock = clock;
        large = new LargeAnswers(settings);
        circuits =
                new LinkedHashMap<>(16, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<URI, Watched> eldest) {
                        return size() > settings.clusters()
                                || eldest.getValue().asked().plus(MISSED).isBefore(clock.instant());
                    }
                };
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        return asked(at, "config", () -> rest.config(at));
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        return asked(at, "jobs", () -> rest.jobs(at));
    }

    @Override
    public Reply<JobDetails> job(URI at, String jobId) {
        return asked(at, "job " + jobId, () -> rest.job(at, jobId));
    }

    @Override
    public Reply<Map<String, String>> jobConfiguration(URI at, String jobId) {
        return asked(at, "jobConfiguration " + jobId, () -> rest.jobConfiguration(at, jobId));
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        return asked(at, "exceptions " + jobId, () -> rest.exceptions(at, jobId));
    }

    @Override
    public Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        return asked(
                at, "resourceRequirements " + jobId, () -> rest.resourceRequirements(at, jobId));
    }

    @Override
    public Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        return guarded(at, () -> rest.changeResourceRequirements(at, jobId, bounds));
    }

    @Override
    public Reply<Accepted> cancel(URI at, String jobId) {
        return guarded(at, () -> rest.cancel(at, jobId));
    }

    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        return guarded(at, () -> rest.stop(at, jobId, request));
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        return asked(at, "savepoint " + jobId, () -> rest.savepoint(at, jobId, triggerId));
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return guarded(at, () -> rest.triggerSavepoint(at, jobId, request));
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        return guarded(at, () -> rest.triggerCheckpoint(at, jobId, request));
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        return asked(at, "checkpoint " + jobId, () -> rest.checkpoint(at, jobId, triggerId));
    }

    @Override
    public Reply<String> disposeSavepoint(URI at, String path) {
        return guarded(at, () -> rest.disposeSavepoint(at, path));
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        return asked(at, "disposal", () -> rest.disposal(at, requestId));
    }

    @Override
    public Reply<Integer> taskManagers(URI at) {
        return asked(at, "taskManagers", () -> rest.taskManagers(at));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return asked(at, "checkpoints " + jobId, () -> rest.checkpoints(at, jobId));
    }

    @Override
    public Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId) {
        return asked(
                at,
                "checkpointDetails " + jobId + "/" + checkpointId,
                () -> rest.checkpointDetails(at, jobId, checkpointId));
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        return asked(at, "checkpointRetention " + jobId, () -> rest.checkpointRetention(at, jobId));
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        return asked(at, "metrics " + jobId, () -> rest.metrics(at, jobId, names));
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        return asked(at, "plan " + jobId, () -> rest.plan(at, jobId));
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        return asked(
                at,
                "names " + jobId + " " + vertexId,
                () -> rest.subtaskMetricNames(at, jobId, vertexId));
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        return asked(
                at,
                "subtasks " + jobId + " " + vertexId,
                () -> rest.subtaskMetrics(at, jobId, vertexId, names));
    }

    @Override
    public Reply<JobResult> result(URI at, String jobId) {
        return asked(at, "result " + jobId, () -> rest.result(at, jobId));
    }

    @Override
    public Reply<String> uploadJar(URI at, JarUpload upload) {
        return working(at, () -> rest.uploadJar(at, upload));
    }

    @Override
    public Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        return working(at, () -> rest.runJar(at, jarId, request));
    }

    @Override
    public Reply<Accepted> deleteJar(URI at, String jarId) {
        return guarded(at, () -> rest.deleteJar(at, jarId));
    }

    /**
     * @param question what is asked, as far as the size of the answer depends on it
     */
    private <T> Reply<T> asked(URI at, String question, Supplier<Reply<T>> call) {
        Optional<Reply<T>> known = large.known(at, question, clock.instant());
        if (known.isPresent()) {
            return known.get();
        }
        Reply<T> reply = guarded(at, call);
        large.answered(at, question, reply, clock.instant());
        return reply;
    }

    private <T> Reply<T> guarded(URI at, Supplier<Reply<T>> call) {
        Instant asked = clock.instant();
        return guarded(at, call, () -> Duration.between(asked, clock.instant()));
    }

    /** What takes its time, such as a job's {@code main()}: others are answered meanwhile. */
    private <T> Reply<T> working(URI at, Supplier<Reply<T>> call) {
        return guarded(at, call, () -> Duration.ZERO);
    }

    private <T> Reply<T> guarded(URI at, Supplier<Reply<T>> call, Supplier<Duration> waited) {
        Optional<String> silence = enter(at);
        if (silence.isPresent()) {
            return new Reply.Unreachable<>(silence.get());
        }
        Reply<T> reply = call.get();
        leave(
                at,
                waited.get(),
                reply instanceof Reply.Unreachable<T>(var why)
                        ? Optional.of(why)
                        : Optional.empty());
        return reply;
    }

    /** Empty if the caller may ask. */
    private synchronized Optional<String> enter(URI at) {
        Instant now = clock.instant();
        Watched watched = circuits.get(at);
        if (watched == null) { // it answers, as far as anybody knows
            return Optional.empty();
        }
        if (!watched.circuit().lets(now)) {
            return Optional.of(watched.why());
        }
        circuits.put(at, new Watched(watched.circuit().asking(now), watched.why(), now));
        return Optional.empty();
    }

    private synchronized void leave(URI at, Duration waited, Optional<String> silence) {
        Instant now = clock.instant();
        Watched before = circuits.remove(at);
        Circuit circuit = before == null ? NEW : before.circuit();
        silence.ifPresent(
                why ->
                        circuits.put(
                                at, new Watched(circuit.silent(now, waited, settings), why, now)));
    }

    /** How many are remembered for not having answered. */
    synchronized int remembered() {
        return circuits.size();
    }
}
