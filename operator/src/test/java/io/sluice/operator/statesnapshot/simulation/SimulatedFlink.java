// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

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
import io.sluice.flink.rest.TaskCounts;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The calls of one process of the operator to JobManagers. Each may be the last that the process
 * makes, or be lost, or its reply may be.
 */
final class SimulatedFlink implements JobManagerRest {
    private static final int NOT_FOUND = 404;

    private final SnapshotWorld world;
    private final Set<SnapshotFlaws> flaws;
    private final Map<String, String> asked = new HashMap<>();

    SimulatedFlink(SnapshotWorld world, Set<SnapshotFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        return read(
                "jobs",
                at,
                _ -> new Reply.Ok<>(world.job().listed().stream().map(this::overview).toList()));
    }

    private JobOverview overview(String state) {
        return new JobOverview(
                world.job().jobId(),
                SimulatedSnapshotJob.NAME,
                state,
                Instant.EPOCH,
                Optional.empty(),
                new TaskCounts(2, world.job().runs(world.job().jobId()) ? 2 : 0, 0),
                world.job().lastChange());
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        String id = idOf(triggerId);
        Reply<SavepointStatus> reply =
                read("savepoint", at, process -> new Reply.Ok<>(told(process, jobId, id)));
        if (reply instanceof Reply.Unreachable<SavepointStatus>) {
            unanswered(at, jobId, id);
            if (flaws.contains(SnapshotFlaws.SILENCE_IS_FAILURE)) {
                return new Reply.Ok<>(new SavepointStatus.Failed("timed out", Optional.empty()));
            }
            if (flaws.contains(SnapshotFlaws.SILENCE_IS_UNKNOWN)) {
                return new Reply.Ok<>(new SavepointStatus.Unknown());
            }
        }
        return reply;
    }

    private SavepointStatus told(SimulatedProcess process, String jobId, String id) {
        Optional<SnapshotTry> found = process.find(jobId, id);
        world.promises().told(found);
        return found.<SavepointStatus>map(
                        each ->
                                switch (each.progress()) {
                                    case PENDING -> new SavepointStatus.InProgress();
                                    case FAILED ->
                                            new SavepointStatus.Failed(
                                                    "disk full", Optional.empty());
                                    case COMPLETED ->
                                            new SavepointStatus.Completed(location(process, each));
                                })
                .orElseGet(SavepointStatus.Unknown::new);
    }

    private String location(SimulatedProcess process, SnapshotTry each) {
        return flaws.contains(SnapshotFlaws.NEWEST_IS_OURS)
                ? process.completed().getLast().path()
                : each.path();
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        String id = idOf(triggerId);
        Reply<CheckpointStatus> reply =
                read(
                        "checkpoint",
                        at,
                        process -> {
                            Optional<SnapshotTry> found = process.find(jobId, id);
                            world.promises().told(found);
                            return new Reply.Ok<>(checkpoint(found));
                        });
        if (reply instanceof Reply.Unreachable<CheckpointStatus>) {
            unanswered(at, jobId, id);
        }
        return reply;
    }

    private static CheckpointStatus checkpoint(Optional<SnapshotTry> found) {
        return found.<CheckpointStatus>map(
                        each ->
                                switch (each.progress()) {
                                    case PENDING -> new CheckpointStatus.InProgress();
                                    case FAILED -> new CheckpointStatus.Failed("disk full");
                                    case COMPLETED ->
                                            new CheckpointStatus.Completed(each.checkpoint());
                                })
                .orElseGet(CheckpointStatus.Unknown::new);
    }

    private void unanswered(URI at, String jobId, String id) {
        world.promises().unanswered();
        world.job()
                .process(at.getHost())
                .flatMap(process -> process.find(jobId, id))
                .ifPresent(SnapshotTry::unanswered);
    }

    private String idOf(String triggerId) {
        if (flaws.contains(SnapshotFlaws.TRIGGER_REUSED)) {
            return "the-same";
        }
        return asked.getOrDefault(triggerId, triggerId);
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return trigger(
                at,
                new SnapshotTry(
                        world.promises().reconciled(),
                        jobId,
                        begun(request.triggerId()),
                        false,
                        request.folder().orElse("")));
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        return trigger(
                at,
                new SnapshotTry(
                        world.promises().reconciled(),
                        jobId,
                        begun(request.triggerId()),
                        true,
                        ""));
    }

    private String begun(String triggerId) {
        if (flaws.contains(SnapshotFlaws.TRIGGER_NOT_DERIVED)) {
            asked.put(triggerId, world.newName() + triggerId);
        }
        return idOf(triggerId);
    }

    private Reply<Accepted> trigger(URI at, SnapshotTry wanted) {
        world.promises().asks(wanted.triggerId());
        return write(
                "trigger " + wanted,
                at,
                process -> {
                    if (world.faults().strikes(3)) {
                        process.askLate(wanted);
                        return new Reply.Unreachable<>("timed out");
                    }
                    process.ask(wanted);
                    return new Reply.Ok<>(Accepted.ACCEPTED);
                });
    }

    @Override
    public Reply<String> disposeSavepoint(URI at, String path) {
        return write(
                "dispose of " + path,
                at,
                process -> {
                    world.promises().disposes(path);
                    return new Reply.Ok<>(process.dispose(path));
                });
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        return read(
                "disposal",
                at,
                process -> {
                    DisposalStatus status = process.disposal(requestId);
                    return new Reply.Ok<>(
                            flaws.contains(SnapshotFlaws.DISPOSAL_NOT_AWAITED)
                                            && status instanceof DisposalStatus.InProgress
                                    ? new DisposalStatus.Done()
                                    : status);
                });
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return read(
                "checkpoints",
                at,
                _ ->
                        world.job().listed().isPresent() && jobId.equals(world.job().jobId())
                                ? new Reply.Ok<>(restored())
                                : new Reply.JobUnknown<>());
    }

    private Checkpoints restored() {
        return new Checkpoints(
                Optional.empty(),
                Optional.empty(),
                world.job()
                        .restored()
                        .map(path -> new CheckpointRef(0, path, Instant.EPOCH, false)),
                List.of());
    }

    @Override
    public Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId) {
        return read(
                "details",
                at,
                process ->
                        process.checkpoint(checkpointId)
                                .<Reply<CheckpointRef>>map(Reply.Ok::new)
                                .orElseGet(
                                        () ->
                                                new Reply.Refused<>(
                                                        NOT_FOUND, "no such checkpoint")));
    }

    private <T> Reply<T> read(String what, URI at, Function<SimulatedProcess, Reply<T>> answer) {
        if (world.faults().strikes(1)) {
            throw world.faults().crash(what);
        }
        return world.faults().strikes(8) ? silence(what) : answered(what, at, answer);
    }

    private <T> Reply<T> write(String what, URI at, Function<SimulatedProcess, Reply<T>> answer) {
        boolean dies = world.faults().strikes(4);
        boolean isLost = world.faults().strikes(8);
        if ((dies || isLost) && world.dice().chance(50)) {
            answered(what, at, answer);
        }
        if (dies) {
            throw world.faults().crash("the reply to " + what);
        }
        return isLost ? silence(what) : answered(what, at, answer);
    }

    private <T> Reply<T> answered(
            String what, URI at, Function<SimulatedProcess, Reply<T>> answer) {
        Reply<T> reply =
                world.job().process(at.getHost()).map(answer).orElseGet(() -> silence(what));
        world.trace(what + " -> " + reply);
        return reply;
    }

    private <T> Reply<T> silence(String what) {
        world.promises().silent();
        return new Reply.Unreachable<>(what + " timed out");
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        throw unasked();
    }

    @Override
    public Reply<JobDetails> job(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<Map<String, String>> jobConfiguration(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        throw unasked();
    }

    @Override
    public Reply<Accepted> cancel(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        throw unasked();
    }

    @Override
    public Reply<Integer> taskManagers(URI at) {
        throw unasked();
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        throw unasked();
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        throw unasked();
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        throw unasked();
    }

    @Override
    public Reply<JobResult> result(URI at, String jobId) {
        throw unasked();
    }

    @Override
    public Reply<String> uploadJar(URI at, JarUpload upload) {
        throw unasked();
    }

    @Override
    public Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        throw unasked();
    }

    @Override
    public Reply<Accepted> deleteJar(URI at, String jarId) {
        throw unasked();
    }

    private static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("a snapshot does not depend on it");
    }
}
