// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.StateView;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.StopView;
import io.sluice.operator.model.Target.Jobs;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads what a JobManager says beside the job's state. A job that runs well and was asked for
 * nothing costs no call here.
 *
 * @param uid of the resource
 */
public record RunReader(
        JobManagerRest rest, URI at, String uid, ObservationMemory memory, Instant now) {
    /**
     * @param created when the resource was
     * @param isDescribed whether the cluster's version is on record already
     * @param read what was read of the job's state at this look
     */
    public RunView of(
            Instant created, JobStatus status, JobView job, boolean isDescribed, StateView read) {
        String jobId = status.jobId().orElse("");
        boolean isNews =
                job instanceof JobView.Seen(var state, var overview)
                        && (!status.state().equals(Optional.of(state))
                                || memory.isNews(uid, overview.lastChange(), now));
        Optional<List<JobException>> exceptions =
                isNews ? rest.exceptions(at, jobId).answer() : Optional.empty();
        AsyncResult savepoint = savepoint(jobId, status.log().savepoints());
        AsyncResult checkpoint = checkpoint(jobId, status.log().checkpoints());
        var statistics = new Statistics(rest, at, jobId, read.last());
        memory.savepoints().saw(uid, inProgress(savepoint, checkpoint, read), statistics::get);
        return new RunView(
                created,
                savepoint,
                checkpoint,
                disposals(status.log().savepoints()),
                exceptions,
                cluster(status, job, isNews, isDescribed),
                checkpoint(status, job, isNews, statistics));
    }

    /** What Flink makes because it was asked to. */
    private static Optional<StateKind> inProgress(
            AsyncResult savepoint, AsyncResult checkpoint, StateView state) {
        boolean stops =
                state.stop() instanceof StopView.Known(var status)
                        && status instanceof SavepointStatus.InProgress;
        if (stops || savepoint instanceof AsyncResult.Pending) {
            return Optional.of(StateKind.SAVEPOINT);
        }
        return checkpoint instanceof AsyncResult.Pending
                ? Optional.of(StateKind.CHECKPOINT)
                : Optional.empty();
    }

    /** What Flink tells of the checkpoints of a job, asked once at most, and only if it is used. */
    private static final class Statistics {
        private final JobManagerRest rest;
        private final URI at;
        private final String jobId;
        private Optional<Checkpoints> told;
        private boolean isAsked;

        Statistics(JobManagerRest rest, URI at, String jobId, LastCheckpoints read) {
            this.rest = rest;
            this.at = at;
            this.jobId = jobId;
            told =
                    read instanceof LastCheckpoints.Known(var checkpoints)
                            ? Optional.of(checkpoints)
                            : Optional.empty();
            isAsked = told.isPresent();
        }

        Optional<Checkpoints> get() {
            if (!isAsked) {
                told = rest.checkpoints(at, jobId).answer();
                isAsked = true;
            }
            return told;
        }
    }

    /**
     * What is known of a job whose JobManager is asked for nothing but what came of a stop.
     *
     * @param state what was read of the job's state at this look
     */
    public RunView unasked(Instant created, JobStatus status, StateView state) {
        String jobId = status.jobId().orElse("");
        memory.savepoints()
                .saw(
                        uid,
                        inProgress(new AsyncResult.NotAsked(), new AsyncResult.NotAsked(), state),
                        new Statistics(rest, at, jobId, state.last())::get);
        return RunView.none(created).withLastCheckpoint(memory.checkpoint(uid, jobId));
    }

    /**
     * Looked for as seldom as exceptions: it is only for people, should the job's state be lost.
     */
    private Optional<CheckpointRef> checkpoint(
            JobStatus status, JobView job, boolean isNews, Statistics statistics) {
        String jobId = status.jobId().orElse("");
        if (isNews && job.isRunOf(status)) {
            statistics
                    .get()
                    .flatMap(Checkpoints::completed)
                    .filter(CheckpointRef::isAddressable)
                    .ifPresent(last -> memory.saw(uid, jobId, last));
        }
        return memory.checkpoint(uid, jobId);
    }

    /** Reads what a session cluster says of itself; it has no run of its own. */
    RunView of(Instant created, FlinkDeploymentStatus status, Jobs.Listed jobs) {
        boolean isKnown =
                status.jobManagerDeploymentStatus() == JobManagerDeploymentState.READY
                        && RunView.ClusterFacts.areRecorded(status)
                        && !memory.isNews(uid, jobs.lastChange(), now);
        return RunView.of(created, isKnown ? ClusterFacts.NONE : facts());
    }

    private ClusterFacts facts() {
        return new ClusterFacts(rest.config(at).answer(), rest.taskManagers(at).answer());
    }

    private AsyncResult savepoint(String jobId, StateLog log) {
        return trigger(log)
                .map(id -> savepoint(rest.savepoint(at, jobId, id)))
                .orElseGet(AsyncResult.NotAsked::new);
    }

    private AsyncResult checkpoint(String jobId, StateLog log) {
        return trigger(log)
                .map(id -> answer(rest.checkpoint(at, jobId, id), RunReader::checkpoint))
                .orElseGet(AsyncResult.NotAsked::new);
    }

    private static Optional<String> trigger(StateLog log) {
        return log.trigger().flatMap(StateTrigger::id);
    }

    private Map<String, DisposalResult> disposals(StateLog log) {
        Map<String, DisposalResult> answers = new HashMap<>();
        for (SavedState state : log.history()) {
            if (state.disposal().isPresent()) {
                String location = state.location().orElse("");
                memory.request(uid, location)
                        .map(id -> disposal(rest.disposal(at, id)))
                        .ifPresent(result -> answers.put(location, result));
            }
        }
        return answers;
    }

    /** Read when the job has just come up, and when its tasks have changed. */
    private ClusterFacts cluster(
            JobStatus status, JobView job, boolean isNews, boolean isDescribed) {
        if (!(job instanceof JobView.Seen seen) || !seen.isUp()) {
            return ClusterFacts.NONE;
        }
        boolean justUp = !status.state().equals(Optional.of(JobState.RUNNING));
        return justUp || isNews || !isDescribed ? facts() : ClusterFacts.NONE;
    }

    /** What has come of a savepoint. */
    public static AsyncResult savepoint(Reply<SavepointStatus> reply) {
        return answer(reply, RunReader::savepoint);
    }

    /** What has come of the deletion of a savepoint. */
    public static DisposalResult disposal(Reply<DisposalStatus> reply) {
        return read(
                reply,
                RunReader::disposal,
                DisposalResult.Unknown::new,
                DisposalResult.Silent::new);
    }

    /**
     * What has come of a request for a savepoint or a checkpoint.
     *
     * @param told reads the answer of a JobManager that gave one
     */
    public static <T> AsyncResult answer(Reply<T> reply, Function<T, AsyncResult> told) {
        return read(reply, told, AsyncResult.Unknown::new, AsyncResult.Silent::new);
    }

    private static <T, R> R read(
            Reply<T> reply, Function<T, R> told, Supplier<R> unknown, Function<String, R> silent) {
        return switch (reply) {
            case Reply.Ok<T>(var status) -> told.apply(status);
            case Reply.JobUnknown<T> _ -> unknown.get();
            case Reply.Refused<T>(var status, var message) ->
                    silent.apply("HTTP " + status + ": " + message);
            case Reply.Unreachable<T>(var message) -> silent.apply(message);
            case Reply.TooLarge<T>(_, var message) -> silent.apply(message);
        };
    }

    private static AsyncResult savepoint(SavepointStatus status) {
        return switch (status) {
            case SavepointStatus.InProgress _ -> new AsyncResult.Pending();
            case SavepointStatus.Completed(var location) ->
                    new AsyncResult.Done(Optional.of(location));
            case SavepointStatus.Failed(var message, _) -> new AsyncResult.Failed(message);
            case SavepointStatus.Unknown _ -> new AsyncResult.Unknown();
        };
    }

    private static AsyncResult checkpoint(CheckpointStatus status) {
        return switch (status) {
            case CheckpointStatus.InProgress _ -> new AsyncResult.Pending();
            case CheckpointStatus.Completed _ -> new AsyncResult.Done(Optional.empty());
            case CheckpointStatus.Failed(var message) -> new AsyncResult.Failed(message);
            case CheckpointStatus.Unknown _ -> new AsyncResult.Unknown();
        };
    }

    private static DisposalResult disposal(DisposalStatus status) {
        return switch (status) {
            case DisposalStatus.InProgress _ -> new DisposalResult.Pending();
            case DisposalStatus.Done _ -> new DisposalResult.Deleted();
            case DisposalStatus.Failed(var message) -> new DisposalResult.Failed(message);
            case DisposalStatus.Unknown _ -> new DisposalResult.Unknown();
        };
    }
}
