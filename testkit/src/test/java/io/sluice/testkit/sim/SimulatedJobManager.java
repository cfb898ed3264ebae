// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

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
import io.sluice.testkit.sim.FlinkProcess.Stop;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The simulator's models of Flink, an application's process and a session cluster beside it, behind
 * the port that a real JobManager is asked through. Nothing fails, and time goes on with each call.
 * What the models do not know is not answered.
 */
final class SimulatedJobManager implements JobManagerRest {
    private static final int CONFLICT = 409;
    private static final Duration CALL = Duration.ofMillis(500);

    private final Environment environment = Environment.of(1);
    private final FlinkStorage storage = new FlinkStorage();
    private final SessionCluster session = new SessionCluster(environment, false);
    private final FlinkProcess application;

    /** With an application whose {@code main()} has not submitted its job yet. */
    SimulatedJobManager(String jobId) {
        environment.faults().end();
        application =
                new FlinkProcess(
                        environment, storage, Launch.stateless(jobId), false, Optional.empty());
    }

    private void call() {
        environment.clock().advance(CALL);
        application.advance(environment.clock().instant());
        session.tick(false);
    }

    private Stream<FlinkProcess> processes() {
        return Stream.concat(
                Stream.of(application),
                session.live().stream().flatMap(id -> session.job(id).stream()));
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        call();
        return new Reply.Ok<>(processes().flatMap(it -> overview(it).stream()).toList());
    }

    private static Optional<JobOverview> overview(FlinkProcess process) {
        return process.state()
                .map(
                        state ->
                                new JobOverview(
                                        process.jobId(),
                                        "simulated",
                                        state,
                                        process.startTime(),
                                        process.endTime(),
                                        new TaskCounts(2, process.tasksUp() ? 2 : 0, 0),
                                        process.lastChange()));
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        return known(
                jobId,
                process ->
                        process.exceptions().stream()
                                .map(
                                        thrown ->
                                                new JobException(
                                                        thrown.name(),
                                                        thrown.name(),
                                                        thrown.at(),
                                                        Optional.empty()))
                                .toList());
    }

    private <T> Reply<T> known(String jobId, Function<FlinkProcess, T> answer) {
        call();
        return processes()
                .filter(process -> process.state().isPresent() && process.jobId().equals(jobId))
                .findFirst()
                .<Reply<T>>map(process -> new Reply.Ok<>(answer.apply(process)))
                .orElseGet(Reply.JobUnknown::new);
    }

    @Override
    public Reply<Accepted> cancel(URI at, String jobId) {
        return known(
                jobId,
                process -> {
                    process.cancel(jobId);
                    return Accepted.ACCEPTED;
                });
    }

    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        return accepted(() -> application.askToStop(jobId, request.triggerId()));
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        return accepted(
                () -> application.askToSave(jobId, request.triggerId(), request.triggerId(), true));
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        return accepted(
                () ->
                        application.askToSave(
                                jobId, request.triggerId(), request.triggerId(), false));
    }

    private Reply<Accepted> accepted(Runnable request) {
        call();
        request.run();
        return new Reply.Ok<>(Accepted.ACCEPTED);
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        call();
        return new Reply.Ok<>(
                application
                        .stop(triggerId)
                        .or(() -> application.saved(triggerId))
                        .map(this::savepoint)
                        .orElseGet(SavepointStatus.Unknown::new));
    }

    private SavepointStatus savepoint(Stop stop) {
        return switch (stop) {
            case Stop.InProgress() -> new SavepointStatus.InProgress();
            case Stop.Completed(var path) -> new SavepointStatus.Completed(location(path));
            case Stop.Failed(var path) ->
                    new SavepointStatus.Failed("failed", path.map(this::location));
        };
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        call();
        return new Reply.Ok<>(
                application
                        .saved(triggerId)
                        .map(SimulatedJobManager::checkpoint)
                        .orElseGet(CheckpointStatus.Unknown::new));
    }

    private static CheckpointStatus checkpoint(Stop stop) {
        return switch (stop) {
            case Stop.InProgress() -> new CheckpointStatus.InProgress();
            case Stop.Completed _ -> new CheckpointStatus.Completed(1);
            case Stop.Failed _ -> new CheckpointStatus.Failed("failed");
        };
    }

    /** The model names a savepoint by its trigger, Flink by its job. */
    private String location(String path) {
        return path.replaceFirst("^sp-", "savepoint-" + application.jobId().substring(0, 6) + "-");
    }

    @Override
    public Reply<String> disposeSavepoint(URI at, String location) {
        call();
        String path =
                storage.savepoints().stream()
                        .filter(saved -> location(saved).equals(location))
                        .findFirst()
                        .orElse(location);
        return new Reply.Ok<>(application.dispose(path, Set.of()));
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        call();
        return new Reply.Ok<>(
                application
                        .disposal(requestId)
                        .<DisposalStatus>map(
                                done ->
                                        done
                                                ? new DisposalStatus.Done()
                                                : new DisposalStatus.Failed("failed"))
                        .orElseGet(DisposalStatus.Unknown::new));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        return known(
                jobId,
                process -> {
                    FlinkProcess.StateReport told = process.told();
                    return new Checkpoints(
                            told.checkpoint().map(this::reference),
                            told.savepoint().map(this::reference),
                            told.restored().map(this::reference),
                            List.of());
                });
    }

    @Override
    public Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId) {
        return known(jobId, process -> process.told().checkpoint().map(this::reference))
                .answer()
                .flatMap(last -> last)
                .filter(last -> last.id() == checkpointId)
                .<Reply<CheckpointRef>>map(Reply.Ok::new)
                .orElseGet(() -> new Reply.Refused<>(404, "no such checkpoint"));
    }

    private CheckpointRef reference(FlinkProcess.Saved saved) {
        return new CheckpointRef(saved.id(), location(saved.path()), saved.at(), false);
    }

    @Override
    public Reply<JobResult> result(URI at, String jobId) {
        return known(
                jobId,
                process ->
                        new JobResult(
                                process.state().filter(_ -> process.hasEnded()), Optional.empty()));
    }

    @Override
    public Reply<String> uploadJar(URI at, JarUpload upload) {
        call();
        return new Reply.Ok<>(session.upload());
    }

    @Override
    public Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        call();
        return new Reply.Ok<>(
                switch (session.run(jarId, Launch.stateless(request.jobId()))) {
                    case SUBMITTED -> Submission.SUBMITTED;
                    case KNOWN_ALREADY -> Submission.KNOWN_ALREADY;
                    case NO_SUCH_JAR -> Submission.NO_SUCH_JAR;
                });
    }

    @Override
    public Reply<Accepted> deleteJar(URI at, String jarId) {
        call();
        int before = session.jarCount();
        session.deleteJar(jarId);
        return session.jarCount() < before
                ? new Reply.Ok<>(Accepted.ACCEPTED)
                : new Reply.Refused<>(CONFLICT, "no such jar");
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        throw unknown();
    }

    @Override
    public Reply<JobDetails> job(URI at, String jobId) {
        throw unknown();
    }

    @Override
    public Reply<Map<String, String>> jobConfiguration(URI at, String jobId) {
        throw unknown();
    }

    @Override
    public Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        throw unknown();
    }

    @Override
    public Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        throw unknown();
    }

    @Override
    public Reply<Integer> taskManagers(URI at) {
        throw unknown();
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        throw unknown();
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        throw unknown();
    }

    @Override
    public Reply<List<PlanNode>> plan(URI at, String jobId) {
        throw unknown();
    }

    @Override
    public Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        throw unknown();
    }

    @Override
    public Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        throw unknown();
    }

    private static UnsupportedOperationException unknown() {
        return new UnsupportedOperationException("the model does not know it");
    }
}
