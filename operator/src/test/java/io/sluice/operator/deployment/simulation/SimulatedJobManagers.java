// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SavepointRequests.Request;
import io.sluice.operator.world.UnaskedQuestions;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/** The calls of one process of the operator to JobManagers, each of which one fault may befall. */
public final class SimulatedJobManagers implements UnaskedQuestions {
    /** Who asks, and what he learns. */
    public interface Asking {
        SimulatedNode.World world();

        /** Whether the call is not made, or nothing is learnt of it. */
        boolean isCutOff(String what);

        /** Whoever answers at the address; late, that may be one that is about to go. */
        Optional<FlinkProcess> answering(URI at, boolean isLate);

        /** Such a question is asked. */
        default void asks(String what) {}

        /** It is told of the job of a process. */
        default void sees(FlinkProcess process) {}

        /** It is told what jobs there are, or not. */
        default void looked(Reply<List<JobOverview>> told) {}

        /** It was told of all that a job had at its end. */
        default void toldEndOf(String jobId, FlinkProcess process) {}

        /** It was not told what became of a savepoint. */
        default void untold() {}

        /** A process is asked to cancel its job. */
        default void cancels(FlinkProcess process) {}

        /** A process is asked to stop its job. */
        default void stops(FlinkProcess process, String jobId, StopRequest request) {}

        /** A process is asked for other bounds of its job's parallelism. */
        default void scales(FlinkProcess process, String bounds) {}

        /** It asks for the state of a job to be saved. */
        default void asksToSave(Kind kind) {}

        /** A process is asked for that. */
        default void saves(Kind kind) {}

        /**
         * A savepoint is deleted.
         *
         * @param startedFrom where the job of the process that is asked began
         */
        void disposes(String path, Optional<String> startedFrom);

        /** Whether any metrics are told. */
        default boolean measures() {
            return true;
        }
    }

    private static final int ERROR = 500;
    private static final int CONFLICT = 409;
    private static final int BAD_REQUEST = 400;

    private final SimulatedNode.World world;
    private final Asking operator;
    private final Set<DeploymentFlaws> flaws;
    private final Map<String, String> triggers = new HashMap<>();
    private final Map<String, Checkpoints> readOnce = new HashMap<>();
    private final Map<String, Instant> firstStarts = new HashMap<>();

    /** As one without flaws asks. */
    public SimulatedJobManagers(Asking operator) {
        this(operator, DeploymentFlaws.none());
    }

    SimulatedJobManagers(Asking operator, Set<DeploymentFlaws> flaws) {
        world = operator.world();
        this.operator = operator;
        this.flaws = flaws;
    }

    /** Whoever answers at the address, if the call reaches anybody. */
    private <T> Reply<T> read(URI at, String what, Function<FlinkProcess, Reply<T>> answer) {
        operator.asks(what);
        if (operator.isCutOff(what)) {
            return new Reply.Unreachable<>("timed out");
        }
        if (world.strikes(4)) {
            return refused(what);
        }
        Reply<T> reply =
                operator.answering(at, world.strikes(2))
                        .map(answer)
                        .orElseGet(() -> new Reply.Unreachable<>("connection refused"));
        if (operator.isCutOff("the reply to " + what)) {
            return new Reply.Unreachable<>("timed out");
        }
        return reply;
    }

    private <T> Reply<T> refused(String what) {
        world.trace("! " + what + " is refused");
        return switch (world.dice().below(3)) {
            case 0 -> new Reply.JobUnknown<>();
            case 1 -> new Reply.Refused<>(ERROR, "internal error");
            default -> new Reply.Unreachable<>("read timed out");
        };
    }

    private Reply<Accepted> write(URI at, String what, Consumer<FlinkProcess> effect) {
        return read(at, what, process -> deliver(what, process, effect));
    }

    private Reply<Accepted> deliver(
            String what, FlinkProcess process, Consumer<FlinkProcess> effect) {
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

    /** What the JobManager that has the job makes of it. */
    public <T> Reply<T> ofJob(
            URI at, String what, String jobId, Function<FlinkProcess, Reply<T>> answer) {
        return read(
                at,
                what,
                process ->
                        process.state().isPresent() && process.jobId().equals(jobId)
                                ? answer.apply(process)
                                : new Reply.JobUnknown<>());
    }

    @Override
    public Reply<ClusterConfig> config(URI at) {
        return read(
                at,
                "config",
                process ->
                        new Reply.Ok<>(new ClusterConfig(process.launch().version(), "0000000")));
    }

    @Override
    public Reply<List<JobOverview>> jobs(URI at) {
        Reply<List<JobOverview>> reply =
                read(
                        at,
                        "jobs",
                        process -> {
                            process.state().ifPresent(_ -> operator.sees(process));
                            return new Reply.Ok<>(
                                    process.state().map(_ -> process.overview()).stream().toList());
                        });
        operator.looked(reply);
        if (flaws.contains(DeploymentFlaws.RESTART_NOT_NOTICED)
                || flaws.contains(DeploymentFlaws.ANY_END_IS_FAILURE)) {
            return reply.map(all -> all.stream().map(this::flawed).toList());
        }
        return reply instanceof Reply.Unreachable<List<JobOverview>>
                        && flaws.contains(DeploymentFlaws.SILENCE_IS_GONE)
                ? new Reply.Ok<>(List.of())
                : reply;
    }

    private JobOverview flawed(JobOverview job) {
        boolean isFailure =
                flaws.contains(DeploymentFlaws.ANY_END_IS_FAILURE)
                        && job.state().equals("FINISHED");
        Instant began =
                flaws.contains(DeploymentFlaws.RESTART_NOT_NOTICED)
                        ? firstStarts.computeIfAbsent(job.id(), _ -> job.startTime())
                        : job.startTime();
        return new JobOverview(
                job.id(),
                job.name(),
                isFailure ? "FAILED" : job.state(),
                began,
                job.endTime(),
                job.tasks(),
                job.lastChange());
    }

    @Override
    public Reply<List<JobException>> exceptions(URI at, String jobId) {
        return ofJob(
                at,
                "exceptions",
                jobId,
                process ->
                        new Reply.Ok<>(
                                process.health().failures().reversed().stream()
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
        return ofJob(
                at,
                "cancel",
                jobId,
                process ->
                        process.hasEnded() && !process.state().equals(Optional.of("CANCELED"))
                                ? new Reply.Refused<>(CONFLICT, "another terminal state")
                                : deliver("cancel " + jobId, process, this::cancel));
    }

    private void cancel(FlinkProcess process) {
        operator.cancels(process);
        process.cancel();
    }

    @Override
    public Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        if (flaws.contains(DeploymentFlaws.CANCELS_INSTEAD_OF_STOP)) {
            return cancel(at, jobId);
        }
        if (flaws.contains(DeploymentFlaws.TRIGGER_NOT_DERIVED)) {
            triggers.put(request.triggerId(), request.triggerId() + world.newName());
        }
        return write(
                at,
                "stop " + jobId,
                process -> {
                    operator.stops(process, jobId, request);
                    process.ask(
                            Kind.STOP,
                            jobId,
                            triggers.getOrDefault(request.triggerId(), request.triggerId()),
                            request.folder());
                });
    }

    @Override
    public Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId) {
        Reply<SavepointStatus> reply =
                read(
                        at,
                        "savepoint",
                        process ->
                                new Reply.Ok<>(
                                        process.requestsOf(jobId)
                                                .find(triggers.getOrDefault(triggerId, triggerId))
                                                .map(Request::status)
                                                .orElseGet(SavepointStatus.Unknown::new)));
        if (!(reply instanceof Reply.Ok<SavepointStatus>)) {
            operator.untold();
        }
        if (reply instanceof Reply.Unreachable<SavepointStatus>
                && flaws.contains(DeploymentFlaws.SILENCE_IS_FAILURE)) {
            return new Reply.Ok<>(new SavepointStatus.Failed("timed out", Optional.empty()));
        }
        if (flaws.contains(DeploymentFlaws.PATH_OF_A_FAILED_STOP)) {
            return reply.map(SimulatedJobManagers::asWritten);
        }
        return flaws.contains(DeploymentFlaws.STOP_NOT_AWAITED)
                ? reply.map(SimulatedJobManagers::asDone)
                : reply;
    }

    private static SavepointStatus asWritten(SavepointStatus status) {
        return status instanceof SavepointStatus.Failed(_, var path) && path.isPresent()
                ? new SavepointStatus.Completed(path.get())
                : status;
    }

    private static SavepointStatus asDone(SavepointStatus status) {
        return status instanceof SavepointStatus.InProgress
                ? new SavepointStatus.Completed("s3://s/savepoint-to-be")
                : status;
    }

    @Override
    public Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request) {
        if (flaws.contains(DeploymentFlaws.SCHEDULE_FORGOTTEN)) {
            return new Reply.Ok<>(Accepted.ACCEPTED);
        }
        operator.asksToSave(Kind.SAVEPOINT);
        return write(
                at,
                "savepoint " + jobId,
                process -> {
                    operator.saves(Kind.SAVEPOINT);
                    process.ask(Kind.SAVEPOINT, jobId, request.triggerId(), request.folder());
                });
    }

    @Override
    public Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        operator.asksToSave(Kind.CHECKPOINT);
        return write(
                at,
                "checkpoint " + jobId,
                process -> {
                    operator.saves(Kind.CHECKPOINT);
                    process.ask(Kind.CHECKPOINT, jobId, request.triggerId(), Optional.empty());
                });
    }

    @Override
    public Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        return read(
                at,
                "checkpoint",
                process ->
                        new Reply.Ok<>(
                                process.requestsOf(jobId)
                                        .find(triggerId)
                                        .map(SimulatedJobManagers::checkpoint)
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
                at,
                "dispose",
                process -> {
                    operator.disposes(disposed(path, process), startedFrom(process));
                    String request = "disposal-of-" + path;
                    process.requests().disposes(request);
                    return new Reply.Ok<>(request);
                });
    }

    private static Optional<String> startedFrom(FlinkProcess process) {
        return process.isLive() ? process.launch().path() : Optional.empty();
    }

    private String disposed(String path, FlinkProcess process) {
        return flaws.contains(DeploymentFlaws.DISPOSES_OF_WHAT_IT_STARTED_FROM)
                ? startedFrom(process).orElse(path)
                : path;
    }

    @Override
    public Reply<DisposalStatus> disposal(URI at, String requestId) {
        return read(
                at,
                "disposal",
                process ->
                        new Reply.Ok<>(
                                process.requests().knowsDisposal(requestId)
                                        ? new DisposalStatus.Done()
                                        : new DisposalStatus.Unknown()));
    }

    @Override
    public Reply<Integer> taskManagers(URI at) {
        return read(at, "taskmanagers", process -> new Reply.Ok<>(process.taskManagers()));
    }

    @Override
    public Reply<Checkpoints> checkpoints(URI at, String jobId) {
        AtomicReference<Optional<FlinkProcess>> ended = new AtomicReference<>(Optional.empty());
        Reply<Checkpoints> reply =
                ofJob(
                        at,
                        "checkpoints",
                        jobId,
                        process -> {
                            if (process.hasEnded() && process.launch().hasCheckpoints()) {
                                ended.set(Optional.of(process));
                            }
                            return new Reply.Ok<>(
                                    process.launch().hasCheckpoints()
                                            ? process.checkpoints()
                                            : Checkpoints.NONE);
                        });
        if (reply instanceof Reply.Ok<Checkpoints>) {
            ended.get().ifPresent(process -> operator.toldEndOf(jobId, process));
        }
        return flawed(jobId, reply);
    }

    private Reply<Checkpoints> flawed(String jobId, Reply<Checkpoints> reply) {
        if (flaws.contains(DeploymentFlaws.UNREAD_IS_NONE)
                && !(reply instanceof Reply.Ok<Checkpoints>)) {
            return new Reply.Ok<>(Checkpoints.NONE);
        }
        if (flaws.contains(DeploymentFlaws.CHECKPOINT_AGE_IGNORED)) {
            return reply.map(
                    it ->
                            new Checkpoints(
                                    it.completed().map(this::justNow),
                                    it.savepoint(),
                                    it.restored(),
                                    it.inProgress()));
        }
        if (flaws.contains(DeploymentFlaws.OLDER_CHECKPOINT)) {
            return reply.map(
                    it ->
                            it.restored().isEmpty()
                                    ? it
                                    : new Checkpoints(
                                            Optional.empty(),
                                            Optional.empty(),
                                            it.restored(),
                                            it.inProgress()));
        }
        return flaws.contains(DeploymentFlaws.CHECKPOINTS_READ_ONCE)
                ? reply.map(it -> readOnce.computeIfAbsent(jobId, _ -> it))
                : reply;
    }

    private CheckpointRef justNow(CheckpointRef of) {
        return new CheckpointRef(of.id(), of.path(), world.now(), of.discarded());
    }

    @Override
    public Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        return this.<CheckpointRetention>ofJob(
                        at,
                        "retention",
                        jobId,
                        process -> new Reply.Ok<>(retention(process.launch())))
                .map(
                        told ->
                                flaws.contains(DeploymentFlaws.RETENTION_ASSUMED)
                                        ? CheckpointRetention.RETAINED
                                        : told);
    }

    private static CheckpointRetention retention(FlinkLaunch launch) {
        if (!launch.hasCheckpoints()) {
            return CheckpointRetention.NO_CHECKPOINTS;
        }
        return launch.retainsCheckpoints()
                ? CheckpointRetention.RETAINED
                : CheckpointRetention.DELETED;
    }

    @Override
    public Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names) {
        return operator.measures() && !flaws.contains(DeploymentFlaws.HEALTH_NOT_ASKED)
                ? ofJob(at, "metrics", jobId, process -> new Reply.Ok<>(process.metrics(names)))
                : new Reply.Ok<>(Map.of());
    }

    @Override
    public Reply<JobDetails> job(URI at, String jobId) {
        return ofJob(
                at,
                "job",
                jobId,
                process ->
                        new Reply.Ok<>(
                                new JobDetails(
                                        jobId,
                                        process.launch().cluster(),
                                        process.state().orElseThrow(),
                                        process.vertices().told(process.state().orElseThrow()))));
    }

    @Override
    public Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        return ofJob(
                at,
                "resource-requirements",
                jobId,
                process ->
                        process.launch().isAdaptive()
                                ? new Reply.Ok<>(process.vertices().bounds())
                                : unsupported());
    }

    private static <T> Reply<T> unsupported() {
        return new Reply.Refused<>(ERROR, "The DefaultScheduler does not support that.");
    }

    @Override
    public Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        return ofJob(
                at,
                "other resource requirements",
                jobId,
                process -> {
                    if (!process.launch().isAdaptive()) {
                        return unsupported();
                    }
                    String what = "bounds " + bounds;
                    if (!bounds.equals(process.vertices().bounds())) {
                        operator.scales(process, what);
                    }
                    Optional<String> refusal = process.vertices().refusal(bounds);
                    return refusal.isPresent()
                            ? new Reply.Refused<>(BAD_REQUEST, refusal.get())
                            : deliver(what, process, it -> it.vertices().change(bounds));
                });
    }
}
