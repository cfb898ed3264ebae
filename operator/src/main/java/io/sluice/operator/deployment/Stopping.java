// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.StopStatus;
import io.sluice.api.UpgradeMode;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.StateView.LastCheckpoints;
import io.sluice.operator.deployment.StateView.Retention;
import io.sluice.operator.deployment.StateView.StopView;
import io.sluice.operator.manifest.StartFrom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A job whose end is on record: asked for again until Flink has heard it, watched until it has
 * come, and then its state is recorded together with the spec that comes next. Nothing is removed
 * before.
 *
 * <pre>
 *   recorded ─▶ asked for ─▶ ended, state told ─▶ {@link Upgrade#takeUp}
 *                  ├── failed, the job runs on ─▶ former spec, tried again later
 *                  ├── no answer for long, metadata names a checkpoint ─▶ {@link Upgrade#takeUp}
 *                  └── nobody can tell the state ─▶ a human
 * </pre>
 */
final class Stopping {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Stopping() {}

    static Decision begin(Pass pass, StopStatus stop) {
        Pass seen =
                pass.snapshot().job() instanceof JobView.Seen(_, var overview)
                        ? pass.with(pass.draft().seen(overview))
                        : pass;
        Pass begun =
                asking(seen.with(seen.draft().stoppingBy(stop).withJar(Optional.empty())), stop);
        return begun.telling(
                        Note.normal(
                                "JobManagerDeployment",
                                "Suspended",
                                stop.triggerId(),
                                "Suspending existing deployment"))
                .decided(reason(stop), begun.soon(), effects(begun, stop));
    }

    /** A job that was not seen may be one that a cancellation would cost its state. */
    private static Action[] effects(Pass pass, StopStatus stop) {
        return stop.how() == StopStatus.How.SAVEPOINT
                        || pass.snapshot().job() instanceof JobView.Seen
                ? new Action[] {Stops.effect(pass, stop)}
                : new Action[0];
    }

    /** Called while {@link Pass#stopUnderWay} has one. */
    static StepResult decide(Pass pass) {
        StopStatus stop = pass.stopUnderWay().orElseThrow();
        return switch (pass.cluster().jobManager()) {
            case JobManagerView.Present(_, _, var available, _) ->
                    available ? watched(pass, stop) : down(pass, stop);
            case JobManagerView.Terminating _ -> Removal.awaited(pass, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ when !pass.cluster().isGone() ->
                    Removal.awaited(pass, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ -> removed(pass);
        };
    }

    /**
     * A JobManager whose pod can't run tells nothing of the stop, however long it is waited for; a
     * suspension waits less, as nothing is started by it.
     */
    private static StepResult down(Pass pass, StopStatus stop) {
        boolean waited =
                pass.cluster().problem().isPresent()
                        && pass.snapshot().now().isAfter(stop.at().plus(PATIENCE));
        boolean isGivenUp =
                (waited && isRecoverable(pass))
                        || (!pass.isDesiredRunning() && Suspension.isBroken(pass));
        if (isGivenUp) {
            return removed(pass);
        }
        Pass unheard = pass.with(pass.draft().unheard(pass.snapshot().now()));
        return pass.cluster().problem().isEmpty() && isSilentForLong(unheard, stop)
                ? givenUp(unheard, stop, PodTrouble.delay(pass))
                : PodTrouble.starting(pass);
    }

    /**
     * The JobManager does not answer. What it does meanwhile nobody knows, and it is given time; a
     * session cluster's own is not removed for one job, nor one that answers with too much.
     */
    private static StepResult silent(Pass pass, StopStatus stop, String message, Silence silence) {
        if (pass.isSessionJob()) {
            return pass.unanswered(silence, Reason.JOB_UNREACHABLE, message);
        }
        Pass unheard = pass.with(pass.draft().unheard(pass.snapshot().now()));
        return silence == Silence.NO_ANSWER && isSilentForLong(unheard, stop)
                ? givenUp(unheard, stop, message)
                : unheard.unanswered(silence, Reason.JOB_UNREACHABLE, message);
    }

    /**
     * Counted from when the JobManager was first seen not to answer, by the record. A savepoint may
     * be under way since just before that: by then it is complete, and the job at its end, or Flink
     * has given it up.
     */
    private static boolean isSilentForLong(Pass unheard, StopStatus stop) {
        Instant since =
                unheard.draft()
                        .job()
                        .updateTime()
                        .filter(at -> at.isAfter(stop.at()))
                        .orElse(stop.at());
        Duration patience =
                switch (stop.how()) {
                    case CANCEL -> PATIENCE;
                    case SAVEPOINT -> longer(PATIENCE, StopOptions.of(unheard).limit());
                };
        return unheard.snapshot().now().isAfter(since.plus(patience));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * Metadata that names a checkpoint says that the job has not come to its end: Flink deletes it
     * with that. It is read again once the cluster is gone, so that a savepoint that is completed
     * until then is not passed over for an older checkpoint.
     */
    private static StepResult givenUp(Pass pass, StopStatus stop, String message) {
        if (!goesOnFromMetadata(pass)) {
            return Objection.stuck(
                    pass,
                    Reason.JOB_MANAGER_SILENT,
                    (message + " " + savepointHint(pass) + " " + KnownState.hint(pass)).strip());
        }
        return Upgrade.takeUp(
                pass.telling(
                        Note.warning(
                                "JobManagerDeployment",
                                Reason.JOB_MANAGER_SILENT.wire(),
                                stop.triggerId(),
                                "The JobManager has not answered for long while the job was being"
                                        + " stopped: its cluster is removed, and the job goes on"
                                        + " from the last checkpoint in its high-availability"
                                        + " metadata.")),
                new StartFrom.LastState());
    }

    /** Where a savepoint is all that will do, a human has to say so. */
    private static boolean goesOnFromMetadata(Pass pass) {
        UpgradePlan.Situation standing = Standing.of(pass);
        boolean mayFallBack = standing.mode() != UpgradeMode.SAVEPOINT || standing.fallsBack();
        return mayFallBack && isRecoverable(pass);
    }

    /** Nobody can tell the state any more. A job that is to be suspended is, all the same. */
    private static StepResult untold(Pass pass, Reason why, StartFrom mark, String detail) {
        return pass.isDesiredRunning()
                ? Objection.stuck(pass, why, (detail + " " + KnownState.hint(pass)).strip())
                : Suspension.unsaved(pass, why, mark, detail);
    }

    /**
     * The cluster is gone or broken: what Flink left for a recovery is the last state, for the same
     * Flink.
     */
    private static StepResult removed(Pass pass) {
        if (isRecoverable(pass)) {
            return Upgrade.takeUp(pass, new StartFrom.LastState());
        }
        if (!Standing.of(pass).recoverable()) {
            return untold(
                    pass,
                    Reason.JOB_MANAGER_MISSING,
                    new StartFrom.LastState(),
                    savepointHint(pass));
        }
        return pass.isDesiredRunning()
                ? Objection.stuck(pass, Reason.LAST_STATE_UNUSABLE, KnownState.hint(pass))
                : Suspension.ofFormer(pass, new StartFrom.LastState());
    }

    private static boolean isRecoverable(Pass pass) {
        UpgradePlan.Situation standing = Standing.of(pass);
        return standing.recoverable() && !standing.newVersion();
    }

    private static StepResult watched(Pass pass, StopStatus stop) {
        return switch (pass.snapshot().job()) {
            case JobView.NotAsked _ -> silent(pass, stop, "", Silence.NO_ANSWER);
            case JobView.Unreachable(var message, var silence) ->
                    silent(pass, stop, message, silence);
            case JobView.NotListed _ -> unlisted(pass, stop);
            case JobView.Seen seen when isAnotherRun(pass, seen) -> ofAnotherRun(pass);
            case JobView.Seen seen ->
                    switch (stop.how()) {
                        case SAVEPOINT -> savepoint(listed(pass, seen), stop, seen);
                        case CANCEL ->
                                seen.state().isTerminal()
                                        ? ended(pass, "")
                                        : cancelling(
                                                pass.isSessionJob() ? pass : listed(pass, seen),
                                                stop,
                                                seen);
                    };
        };
    }

    /**
     * Where the record does not name a run, what is listed may be the one that is being stopped: it
     * is left standing, even if the job is to be suspended.
     */
    private static StepResult ofAnotherRun(Pass pass) {
        String hint = savepointHint(pass);
        return pass.draft().job().startTime().isPresent()
                ? untold(pass, Reason.STATE_IN_DOUBT, new StartFrom.LastState(), hint)
                : Objection.stuck(
                        pass, Reason.STATE_IN_DOUBT, (hint + " " + KnownState.hint(pass)).strip());
    }

    /** Another operator may have recorded it, without a look at what it leaves. */
    private static Decision cancelling(Pass pass, StopStatus stop, JobView.Seen seen) {
        return pass.isStateless() || !seen.isUncancelled()
                ? again(pass, stop)
                : cancelling(pass, seen, () -> again(pass, stop));
    }

    /**
     * Of a job that another operator was about to cancel.
     *
     * @param cancel where that leaves its state
     */
    static Decision cancelling(Pass pass, JobView.Seen seen, Supplier<Decision> cancel) {
        return switch (pass.snapshot().state().retention()) {
            case Retention.NotAsked _, Retention.Unread _ -> unread(pass);
            case Retention.Told(var retention) ->
                    switch (retention) {
                        case RETAINED, NO_CHECKPOINTS ->
                                seen.isUp() ? cancellingRun(pass, seen, cancel) : cancel.get();
                        case DELETED -> saved(pass, seen, Reason.CHECKPOINTS_NOT_RETAINED);
                    };
        };
    }

    private static Decision cancellingRun(Pass pass, JobView.Seen seen, Supplier<Decision> cancel) {
        return switch (Standing.checkpoint(pass)) {
            case MADE -> cancel.get();
            case UNREAD -> unread(pass);
            case NONE -> saved(pass, seen, Reason.NO_CHECKPOINT);
        };
    }

    /**
     * The cancellation would take the job's state with it: one that runs is stopped with a
     * savepoint instead, where there is a folder for it.
     */
    private static Decision saved(Pass pass, JobView.Seen seen, Reason why) {
        return StopOptions.of(pass)
                .folder()
                .filter(_ -> seen.isUp())
                .flatMap(_ -> Stops.instead(pass, StopStatus.How.SAVEPOINT))
                .map(stop -> begin(pass, stop))
                .orElseGet(() -> Objection.stuck(pass, why, KnownState.hint(pass)));
    }

    /** Whether a cancellation leaves the job's state is not known yet. */
    private static Decision unread(Pass pass) {
        return pass.decided(
                Reason.STATE_UNREAD,
                pass.snapshot().state().retention().doubt(),
                Optional.of(pass.soon()));
    }

    /** A JobManager that has just started lists nothing yet; one that stays so has lost the job. */
    private static StepResult unlisted(Pass pass, StopStatus stop) {
        if (pass.isSessionJob() && pass.isStateless()) {
            return Upgrade.takeUp(pass, new StartFrom.Nothing());
        }
        Pass missed = JobFacts.missed(pass);
        Instant since =
                pass.isSessionJob()
                        ? stop.at()
                        : missed.draft()
                                .job()
                                .updateTime()
                                .filter(at -> at.isAfter(stop.at()))
                                .orElse(stop.at());
        if (pass.snapshot().now().isBefore(since.plus(PATIENCE))) {
            return missed.decided(Reason.WAITING_FOR_SUBMISSION, pass.soon());
        }
        return !pass.isSessionJob() && goesOnFromMetadata(missed)
                ? Upgrade.takeUp(missed, new StartFrom.LastState())
                : untold(missed, Reason.STATE_LOST, new StartFrom.LastState(), savepointHint(pass));
    }

    /**
     * How long a job is missing, or its JobManager silent, counts anew once it was listed; of a
     * session job see {@link Farewell}.
     */
    private static Pass listed(Pass pass, JobView.Seen seen) {
        boolean wasMissed =
                !seen.state().isTerminal()
                        && pass.draft().job().state().equals(Optional.of(JobState.RECONCILING));
        if (!wasMissed) {
            return pass;
        }
        Draft heard = pass.draft().with(seen.state(), pass.snapshot().now());
        return pass.with(pass.isSessionJob() ? heard : heard.with(JobManagerDeploymentState.READY));
    }

    /**
     * Without kept results a JobManager that restarts runs the job again, from nothing: what is
     * seen then is another job under the same id.
     */
    private static boolean isAnotherRun(Pass pass, JobView.Seen seen) {
        return !pass.leavesEnded()
                && !Optional.of(seen.overview().startTime()).equals(pass.draft().job().startTime());
    }

    /**
     * Whether the job that is being stopped has come to its own end instead, which leaves no
     * savepoint. One that failed may have done so because of the stop.
     */
    static boolean isOwnEnd(Pass pass) {
        boolean finished =
                pass.snapshot().job() instanceof JobView.Seen seen
                        && seen.state() == JobState.FINISHED
                        && !isAnotherRun(pass, seen);
        boolean unsaved =
                pass.snapshot().state().last() instanceof LastCheckpoints.Told(Checkpoints told)
                        && (told.savepoint().isEmpty() || !told.latest().equals(told.savepoint()));
        boolean completed =
                pass.snapshot().state().stop()
                        instanceof StopView.Told(SavepointStatus.Completed _);
        return pass.stopUnderWay().isPresent() && finished && unsaved && !completed;
    }

    private static StepResult savepoint(Pass pass, StopStatus stop, JobView.Seen seen) {
        return switch (pass.snapshot().state().stop()) {
            case StopView.NotAsked _ -> pass.decided(Reason.JOB_UNREACHABLE, pass.soon());
            case StopView.Silent(var message, var silence) ->
                    pass.unanswered(silence, Reason.JOB_UNREACHABLE, message);
            case StopView.Told(SavepointStatus.InProgress _) ->
                    pass.decided(Reason.SAVEPOINT_IN_PROGRESS, pass.soon());
            case StopView.Told(SavepointStatus.Completed _)
                    when pass.isSessionJob() && !seen.state().isTerminal() ->
                    pass.decided(Reason.SAVEPOINT_IN_PROGRESS, pass.soon());
            case StopView.Told(SavepointStatus.Completed(var location)) -> takeUp(pass, location);
            case StopView.Told(SavepointStatus.Unknown _) ->
                    seen.state().isTerminal() ? ended(pass, "") : again(pass, stop);
            case StopView.Told(SavepointStatus.Failed failed) ->
                    seen.state().isTerminal()
                            ? failed.location()
                                    .map(path -> writtenAndFailed(pass, path, failed.message()))
                                    .orElseGet(() -> ended(pass, failed.message()))
                            : failed(pass, stop, failed.message());
        };
    }

    /**
     * A stop that wrote a savepoint and failed all the same: the job may have run on since, from
     * its last checkpoint, and have kept more. Their order is the JobManager's to tell: its clock
     * can't be compared with the operator's.
     */
    private static StepResult writtenAndFailed(Pass pass, String path, String message) {
        if (!(pass.snapshot().state().last() instanceof LastCheckpoints.Told(Checkpoints told))) {
            return ended(pass, message);
        }
        boolean isLast = told.latest().filter(last -> last.path().equals(path)).isPresent();
        boolean isListed = told.savepoint().isPresent();
        boolean hasOthers = told.completed().isPresent();
        if (isLast || (!isListed && !hasOthers)) {
            return takeUp(pass, path);
        }
        return isListed
                ? ended(pass, message)
                : untold(
                        pass,
                        Reason.STATE_IN_DOUBT,
                        new StartFrom.LastState(),
                        "The stop wrote "
                                + path
                                + ", which the JobManager does not list; it lists "
                                + told.completed().map(CheckpointRef::path).orElse("")
                                + ".");
    }

    private static StepResult takeUp(Pass pass, String path) {
        return Upgrade.takeUp(Saving.stoppedWith(pass, path), new StartFrom.Savepoint(path));
    }

    static Decision again(Pass pass, StopStatus stop) {
        return asking(pass, stop).decided(reason(stop), pass.soon(), Stops.effect(pass, stop));
    }

    private static Pass asking(Pass pass, StopStatus stop) {
        return switch (stop.how()) {
            case CANCEL -> pass.with(pass.draft().with(JobState.CANCELLING, pass.snapshot().now()));
            case SAVEPOINT -> pass;
        };
    }

    private static Reason reason(StopStatus stop) {
        return switch (stop.how()) {
            case CANCEL -> Reason.JOB_CANCELLING;
            case SAVEPOINT -> Reason.SAVEPOINT_IN_PROGRESS;
        };
    }

    /** The job is done without a savepoint of ours: its last checkpoint is its state. */
    private static StepResult ended(Pass pass, String message) {
        if (pass.isSessionJob() && pass.isStateless()) {
            return Upgrade.takeUp(pass, new StartFrom.Nothing());
        }
        return switch (KnownState.ofEnded(pass)) {
            case KnownState.Found(var from) -> Upgrade.takeUp(pass, from);
            case KnownState.Unread(var why) ->
                    pass.decided(Reason.STATE_UNREAD, why, Optional.of(pass.soon()));
            case KnownState.Lost _ ->
                    untold(pass, Reason.STATE_LOST, new StartFrom.LastState(), message);
            case KnownState.Gone(var path) ->
                    untold(pass, Reason.CHECKPOINT_NOT_FOUND, new StartFrom.Savepoint(path), path);
        };
    }

    /** The job runs on with its former spec. */
    private static Decision failed(Pass pass, StopStatus stop, String message) {
        Draft draft =
                pass.draft()
                        .with(pass.draft().attempt().stoppedBy(stop.failing(message)))
                        .deployed();
        return pass.with(draft)
                .telling(
                        Note.warning(
                                "JobManagerDeployment",
                                "SavepointError",
                                stop.triggerId(),
                                "Savepoint for the upgrade failed: "
                                        + message
                                        + Stops.nextFolder(pass, stop)))
                .decided(
                        Reason.UPGRADE_SAVEPOINT_FAILED,
                        message,
                        Optional.of(Stops.pause(stop.tries())));
    }

    /** Where a savepoint is, should one have been made that nobody was told of. */
    static String savepointHint(Pass pass) {
        int tries = pass.stopUnderWay().map(StopStatus::tries).orElse(1);
        return StopOptions.of(pass)
                .folder(tries)
                .map(
                        folder ->
                                "A savepoint of it would be "
                                        + folder
                                        + "/savepoint-"
                                        + pass.jobId()
                                                .substring(0, Math.min(6, pass.jobId().length()))
                                        + "-*.")
                .orElse("");
    }
}
