// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.Submission;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SavepointRequests.Request;
import io.sluice.operator.world.UnaskedQuestions;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The calls of one process of the operator to the JobManager of the session cluster, each of which
 * one fault may befall.
 */
final class SessionJobManagers implements UnaskedQuestions {
    private static final int ERROR = 500;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int BAD_REQUEST = 400;

    private final SessionWorld world;
    private final SessionOperator operator;
    private final Set<SessionFlaws> flaws;

    SessionJobManagers(SessionWorld world, SessionOperator operator, Set<SessionFlaws> flaws) {
        this.world = world;
        this.operator = operator;
        this.flaws = flaws;
    }

    /** Whoever answers at the address, if the call reaches anybody. */
    private <T> Reply<T> read(String what, Function<SessionProcess, Reply<T>> answer) {
        return read(what, new Reply.Refused<>(NOT_FOUND, "not found"), answer);
    }

    /**
     * @param notFound what an answer with status 404 is taken for
     */
    private <T> Reply<T> read(
            String what, Reply<T> notFound, Function<SessionProcess, Reply<T>> answer) {
        if (operator.isCutOff(what)) {
            return new Reply.Unreachable<>("timed out");
        }
        if (world.strikes(4)) {
            return refused(what, notFound);
        }
        return reached(what, answer);
    }

    private <T> Reply<T> reached(String what, Function<SessionProcess, Reply<T>> answer) {
        Reply<T> reply =
                world.cluster()
                        .answering()
                        .map(answer)
                        .orElseGet(() -> new Reply.Unreachable<>("connection refused"));
        if (operator.isCutOff("the reply to " + what)) {
            return new Reply.Unreachable<>("timed out");
        }
        return reply;
    }

    private <T> Reply<T> refused(String what, Reply<T> notFound) {
        world.trace("! " + what + " is refused");
        return switch (world.dice().below(3)) {
            case 0 -> notFound;
            case 1 -> new Reply.Refused<>(ERROR, "internal error");
            default -> new Reply.Unreachable<>("read timed out");
        };
    }

    private Reply<Accepted> deliver(
            String what, SessionProcess process, Consumer<SessionProcess> effect) {
        if (world.strikes(3)) {
            world.trace("! " + what + " comes late");
            process.later(() -> effect.accept(process));
            return new Reply.Unreachable<>("timed out");
        }
        world.trace(what);
        effect.accept(process);
        if (world.strikes(3)) {
            world.trace("! " + what + " comes twice");
            effect.accept(process);
        }
        return new Reply.Ok<>(Accepted.ACCEPTED);
    }

    private <T> Reply<T> ofJob(String what, String jobId, Function<SessionRun, Reply<T>> answer) {
        return read(
                what,
                new Reply.JobUnknown<>(),
                process ->
                        process.run(jobId).map(answer).orElseGet(() -> new Reply.JobUnknown<>()));
    }

    /** Whatever changes a job has to be about the resource's own. */
    private void own(String what, String jobId) {
        if (!operator.owns(jobId)) {
            world.violated(what + " of a job that is another's: " + jobId);
        }
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        return read(
                "config",
                process -> new Reply.Ok<>(new ClusterConfig(process.version(), "0000000")));
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        Reply<List<JobOverview>> reply =
                read("jobs", process -> new Reply.Ok<>(process.overviews()));
        if (reply instanceof Reply.Ok<List<JobOverview>>(var listed)) {
            operator.toldOfJobs(listed);
        } else {
            operator.current().ifPresent(job -> job.saved().unanswered());
        }
        return reply instanceof Reply.Unreachable<List<JobOverview>>
                        && flaws.contains(SessionFlaws.SILENCE_IS_GONE)
                ? new Reply.Ok<>(List.of())
                : reply;
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        return ofJob(
                "exceptions",
                jobId,
                run ->
                        new Reply.Ok<>(
                                run.failures().reversed().stream()
                                        .map(
                                                each ->
                                                        new JobException(
                                                                "java.lang.IllegalStateException",
                                                                "java.lang.IllegalStateException",
                                                                each,
                                                                Optional.empty()))
                                        .toList()));
    }

    @Override
    public Reply<Accepted> cancel(URI at, String jobId) {
        String meant = meant(jobId);
        own("a cancellation", meant);
        return read(
                "cancel",
                new Reply.JobUnknown<>(),
                process ->
                        process.run(meant)
                                .map(run -> cancel(process, run))
                                .orElseGet(() -> new Reply.JobUnknown<>()));
    }

    private String meant(String jobId) {
        if (flaws.contains(SessionFlaws.CANCELS_THE_OTHERS)) {
            return SessionProcess.FOREIGN_JOB;
        }
        return flaws.contains(SessionFlaws.CANCELS_A_NEIGHBOUR)
                ? neighbour(jobId).map(run -> run.job().id()).orElse(jobId)
                : jobId;
    }

    /** A job of another resource, on the same cluster. */
    private Optional<SessionRun> neighbour(String jobId) {
        return world.cluster()
                .processes()
                .flatMap(SessionProcess::live)
                .filter(run -> !world.owner(jobId).equals(world.owner(run.job().id())))
                .findFirst();
    }

    private Reply<Accepted> cancel(SessionProcess process, SessionRun run) {
        if (run.hasEnded() && !run.state().equals("CANCELED")) {
            return new Reply.Refused<>(CONFLICT, "another terminal state");
        }
        world.cancels(run);
        return deliver("cancel " + run.job().id(), process, _ -> run.cancel());
    }

    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        if (flaws.contains(SessionFlaws.CANCELS_INSTEAD_OF_STOP)) {
            return cancel(at, jobId);
        }
        own("a stop", jobId);
        return ask(Kind.STOP, jobId, request.triggerId(), request.folder());
    }

    private Reply<Accepted> ask(Kind kind, String jobId, String trigger, Optional<String> folder) {
        String what = kind + " " + jobId;
        return read(
                what,
                process -> deliver(what, process, it -> it.ask(kind, jobId, trigger, folder)));
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        Reply<SavepointStatus> reply =
                read(
                        "savepoint",
                        process ->
                                new Reply.Ok<>(
                                        process.requests(jobId)
                                                .find(triggerId)
                                                .map(Request::status)
                                                .orElseGet(SavepointStatus.Unknown::new)));
        if (!(reply instanceof Reply.Ok<SavepointStatus>)) {
            operator.toldEnd().untold();
        }
        return flaws.contains(SessionFlaws.STOP_NOT_AWAITED)
                ? reply.map(SessionJobManagers::asDone)
                : reply;
    }

    private static SavepointStatus asDone(SavepointStatus status) {
        return status instanceof SavepointStatus.InProgress
                ? new SavepointStatus.Completed("s3://s/savepoint-to-be")
                : status;
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        own("a savepoint", jobId);
        world.asksToSave(jobId, Kind.SAVEPOINT);
        return ask(Kind.SAVEPOINT, jobId, request.triggerId(), request.folder());
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        own("a checkpoint", jobId);
        world.asksToSave(jobId, Kind.CHECKPOINT);
        return ask(Kind.CHECKPOINT, jobId, request.triggerId(), Optional.empty());
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        return read(
                "checkpoint",
                process ->
                        new Reply.Ok<>(
                                process.requests(jobId)
                                        .find(triggerId)
                                        .map(SessionJobManagers::checkpoint)
                                        .orElseGet(CheckpointStatus.Unknown::new)));
    }

    private static CheckpointStatus checkpoint(Request request) {
        if (request.isPending()) {
            return new CheckpointStatus.InProgress();
        }
        return request.checkpoint() > 0
                ? new CheckpointStatus.Completed(request.checkpoint())
                : new CheckpointStatus.Failed("failed");
    }

    @Override
    public Reply<String> disposeSavepoint(URI at, String path) {
        return read(
                "dispose", process -> new Reply.Ok<>(process.dispose(path, operator.current())));
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        return read(
                "disposal",
                process ->
                        new Reply.Ok<>(
                                process.knowsDisposal(requestId)
                                        ? new DisposalStatus.Done()
                                        : new DisposalStatus.Unknown()));
    }

    @Override
    public Reply<Integer> taskManagers(URI at) {
        return read("taskmanagers", _ -> new Reply.Ok<>(1));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        AtomicReference<Optional<Integer>> ended = new AtomicReference<>(Optional.empty());
        Reply<Checkpoints> reply =
                ofJob(
                        "checkpoints",
                        jobId,
                        run -> {
                            boolean hasCheckpoints = run.job().hasCheckpoints();
                            if (run.hasEnded() && hasCheckpoints) {
                                ended.set(Optional.of(run.line()));
                            }
                            return new Reply.Ok<>(
                                    hasCheckpoints ? told(run).checkpoints() : Checkpoints.NONE);
                        });
        if (reply instanceof Reply.Ok<Checkpoints>) {
            ended.get().ifPresent(line -> operator.toldEnd().of(jobId, line));
        }
        return reply;
    }

    private SessionRun told(SessionRun run) {
        return flaws.contains(SessionFlaws.READS_A_NEIGHBOURS_CHECKPOINTS)
                ? neighbour(run.job().id()).orElse(run)
                : run;
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        return ofJob("retention", jobId, run -> new Reply.Ok<>(retention(run.job())));
    }

    private static CheckpointRetention retention(SubmittedJob job) {
        if (!job.hasCheckpoints()) {
            return CheckpointRetention.NO_CHECKPOINTS;
        }
        return job.retainsCheckpoints()
                ? CheckpointRetention.RETAINED
                : CheckpointRetention.DELETED;
    }

    @Override
    public Reply<String> uploadJar(URI at, JarUpload upload) {
        return read(
                "upload",
                process -> {
                    world.trace("upload " + upload.name());
                    String attempt = upload.name().replace(".jar", "");
                    return new Reply.Ok<>(process.upload(upload.jar().toString(), attempt));
                });
    }

    /**
     * That Flink refuses what it is about to accept is left out, as ADR 12 says what comes of that.
     */
    @Override
    public Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        String what = "run " + jarId + " as " + request.jobId();
        if (operator.isCutOff(what)) {
            return new Reply.Unreachable<>("timed out");
        }
        boolean mayBeRefused =
                world.cluster()
                        .answering()
                        .filter(process -> process.knows(request.jobId()))
                        .isEmpty();
        if (mayBeRefused && world.strikes(4)) {
            world.trace("! " + what + " is refused");
            return world.dice().chance(50)
                    ? new Reply.Refused<>(BAD_REQUEST, "main() failed")
                    : new Reply.Refused<>(ERROR, "internal error");
        }
        Reply<Submission> reply = reached(what, process -> run(what, process, jarId, request));
        return flaws.contains(SessionFlaws.KNOWN_IS_REFUSED)
                        && reply.equals(new Reply.Ok<>(Submission.KNOWN_ALREADY))
                ? new Reply.Refused<>(BAD_REQUEST, "refused")
                : reply;
    }

    private Reply<Submission> run(
            String what, SessionProcess process, String jarId, RunRequest request) {
        if (!process.hasJar(jarId)) {
            return new Reply.Ok<>(Submission.NO_SUCH_JAR);
        }
        Optional<SubmittedJob> job =
                world.submitted(
                        process,
                        request,
                        jarId,
                        flaws.contains(SessionFlaws.PATH_NOT_SENT)
                                ? Optional.empty()
                                : request.savepointPath());
        if (job.isEmpty()) {
            return new Reply.Refused<>(BAD_REQUEST, "of nobody");
        }
        if (world.strikes(6)) {
            world.trace("! " + what + " takes its time");
            process.submitLater(job.get());
            return new Reply.Unreachable<>("timed out");
        }
        world.trace(what);
        return process.submit(job.get());
    }

    /**
     * While a process stands still, which may be about to ask for the job once more, it does not
     * fail: ADR 12 says what comes of that.
     */
    @Override
    public Reply<Accepted> deleteJar(URI at, String jarId) {
        if (!operator.mayHaveUploaded(jarId)) {
            world.violated("a jar is deleted that is another's: " + jarId);
        }
        if (world.operators().isStandingStill()) {
            world.cluster().answering().ifPresent(it -> it.deleteJar(jarId));
        }
        return read("delete " + jarId, process -> deleteJar(process, jarId));
    }

    private Reply<Accepted> deleteJar(SessionProcess process, String jarId) {
        return process.hasJar(jarId)
                ? deliver("delete " + jarId, process, it -> it.deleteJar(jarId))
                : new Reply.Refused<>(BAD_REQUEST, "File " + jarId + " does not exist");
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        return new Reply.Ok<>(Map.of());
    }
}
