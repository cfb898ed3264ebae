// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.PodTrouble;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.StateView.StopView;
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
 *   recorded ─▶ asked for ─▶ ended, state told ─▶ {@link Upgrade#startAttempt}
 *                  ├── failed, the job runs on ─▶ former spec, tried again later
 *                  ├── no answer for long, metadata has a checkpoint ─▶ {@link Upgrade#startAttempt}
 *                  └── nobody can tell the state ─▶ a human
 * </pre>
 */
public final class StopInProgress {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private StopInProgress() {}

    public static Decision beginStop(StepContext context, StopStatus stop) {
        StepContext seen =
                context.observed().job() instanceof JobView.Seen(_, var overview)
                        ? context.withDraft(draft -> draft.seen(overview))
                        : context;
        StepContext begun =
                withRequestedState(
                        seen.withDraft(draft -> draft.stoppingBy(stop).withJar(Optional.empty())),
                        stop);
        return begun.withEvent(
                        ResourceEvent.normal(
                                "JobManagerDeployment",
                                "Suspended",
                                stop.triggerId(),
                                "Suspending existing deployment"))
                .decide(reason(stop), begun.soon(), effects(begun, stop));
    }

    /** A job that was not seen may be one that a cancellation would cost its state. */
    private static Action[] effects(StepContext context, StopStatus stop) {
        return stop.how() == StopStatus.How.SAVEPOINT
                        || context.observed().job() instanceof JobView.Seen
                ? new Action[] {StopRequests.action(context, stop)}
                : new Action[0];
    }

    /** Called while {@link StepContext#stopUnderWay} has one. */
    public static StepResult decide(StepContext context) {
        StopStatus stop = context.stopUnderWay().orElseThrow();
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Present(_, _, var available, _) ->
                    available ? watchStop(context, stop) : whenClusterIsDown(context, stop);
            case JobManagerView.Terminating _ ->
                    ClusterRemoval.awaitRemoval(context, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ when !context.cluster().isGone() ->
                    ClusterRemoval.awaitRemoval(context, Reason.WAITING_FOR_REMOVAL);
            case JobManagerView.Absent _ -> whenClusterIsRemoved(context);
        };
    }

    /**
     * A JobManager whose pod can't run tells nothing of the stop, however long it is waited for; a
     * suspension waits less, as nothing is started by it.
     */
    private static StepResult whenClusterIsDown(StepContext context, StopStatus stop) {
        boolean waited =
                context.cluster().problem().isPresent()
                        && context.observed().now().isAfter(stop.at().plus(PATIENCE));
        boolean isGivenUp =
                (waited && isRecoverable(context))
                        || (!context.isDesiredRunning() && Suspension.isBroken(context));
        if (isGivenUp) {
            return whenClusterIsRemoved(context);
        }
        StepContext unheard = context.withDraft(draft -> draft.unheard(context.observed().now()));
        return context.cluster().problem().isEmpty() && isSilentForLong(unheard, stop)
                ? giveUpOnJobManager(unheard, stop, PodTrouble.delay(context))
                : PodTrouble.waitForJobManager(context);
    }

    /**
     * The JobManager does not answer. What it does meanwhile nobody knows, and it is given time; a
     * session cluster's own is not removed for one job, nor one that answers with too much.
     */
    private static StepResult whenSilent(
            StepContext context, StopStatus stop, String message, NoAnswer noAnswer) {
        if (!context.target().hasOwnJobManager()) {
            return context.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message);
        }
        StepContext unheard = context.withDraft(draft -> draft.unheard(context.observed().now()));
        return noAnswer == NoAnswer.NO_ANSWER && isSilentForLong(unheard, stop)
                ? giveUpOnJobManager(unheard, stop, message)
                : unheard.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message);
    }

    /**
     * Counted from when the JobManager was first seen not to answer, by the record. A savepoint may
     * be under way since just before that: by then it is complete, and the job at its end, or Flink
     * has given it up.
     */
    private static boolean isSilentForLong(StepContext unheard, StopStatus stop) {
        Instant since =
                unheard.draft()
                        .job()
                        .updateTime()
                        .filter(at -> at.isAfter(stop.at()))
                        .orElse(stop.at());
        Duration patience =
                switch (stop.how()) {
                    case CANCEL -> PATIENCE;
                    case SAVEPOINT -> longer(PATIENCE, SavepointOptions.of(unheard).limit());
                };
        return unheard.observed().now().isAfter(since.plus(patience));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /**
     * Metadata that names a checkpoint says that the job has not come to its end: Flink deletes it
     * with that. It is read again once the cluster is gone, so that a savepoint that is completed
     * until then is not passed over for an older checkpoint.
     */
    private static StepResult giveUpOnJobManager(
            StepContext context, StopStatus stop, String message) {
        if (!goesOnFromMetadata(context)) {
            return HeldChange.askHuman(
                    context,
                    Reason.JOB_MANAGER_SILENT,
                    (message
                                    + " "
                                    + savepointHint(context)
                                    + " "
                                    + RestorableState.whereStateMayBe(context))
                            .strip());
        }
        return Upgrade.startAttempt(
                context.withEvent(
                        ResourceEvent.warning(
                                "JobManagerDeployment",
                                Reason.JOB_MANAGER_SILENT.wire(),
                                stop.triggerId(),
                                "The JobManager has not answered for a long time while the job was"
                                        + " being stopped. Its cluster is removed, and the job"
                                        + " is restored from the last checkpoint in its"
                                        + " high-availability metadata.")),
                new StartFrom.LastState());
    }

    /** Where a savepoint is all that will do, a human has to say so. */
    private static boolean goesOnFromMetadata(StepContext context) {
        UpgradePlan.Situation standing = UpgradeSituations.of(context);
        boolean mayFallBack = standing.mode() != UpgradeMode.SAVEPOINT || standing.fallsBack();
        return mayFallBack && isRecoverable(context);
    }

    /** Nobody can tell the state any more. A job that is to be suspended is, all the same. */
    private static StepResult withoutKnownState(
            StepContext context, Reason why, StartFrom mark, String detail) {
        return context.isDesiredRunning()
                ? HeldChange.askHuman(
                        context,
                        why,
                        (detail + " " + RestorableState.whereStateMayBe(context)).strip())
                : Suspension.suspendWithoutState(context, why, mark, detail);
    }

    /**
     * The cluster is gone or broken: what Flink left for a recovery is the last state, for the same
     * Flink.
     */
    private static StepResult whenClusterIsRemoved(StepContext context) {
        if (isRecoverable(context)) {
            return Upgrade.startAttempt(context, new StartFrom.LastState());
        }
        if (!UpgradeSituations.of(context).recoverable()) {
            return withoutKnownState(
                    context,
                    Reason.JOB_MANAGER_MISSING,
                    new StartFrom.LastState(),
                    savepointHint(context));
        }
        return context.isDesiredRunning()
                ? HeldChange.askHuman(
                        context,
                        Reason.LAST_STATE_UNUSABLE,
                        RestorableState.whereStateMayBe(context))
                : Suspension.suspendFormerSpec(context, new StartFrom.LastState());
    }

    private static boolean isRecoverable(StepContext context) {
        UpgradePlan.Situation standing = UpgradeSituations.of(context);
        return standing.recoverable() && !standing.newVersion();
    }

    private static StepResult watchStop(StepContext context, StopStatus stop) {
        return switch (context.observed().job()) {
            case JobView.NotAsked _ -> whenSilent(context, stop, "", NoAnswer.NO_ANSWER);
            case JobView.Unreachable(var message, var noAnswer) ->
                    whenSilent(context, stop, message, noAnswer);
            case JobView.NotListed _ -> whenNotListed(context, stop);
            case JobView.Seen seen when isAnotherRun(context, seen) ->
                    whenAnotherRunIsListed(context);
            case JobView.Seen seen ->
                    switch (stop.how()) {
                        case SAVEPOINT ->
                                whenSavepointIsTold(withJobListed(context, seen), stop, seen);
                        case CANCEL ->
                                seen.state().isTerminal()
                                        ? whenJobEnded(context, "")
                                        : cancelRetainingState(
                                                context.target().hasOwnJobManager()
                                                        ? withJobListed(context, seen)
                                                        : context,
                                                stop,
                                                seen);
                    };
        };
    }

    /**
     * Where the record does not name a run, what is listed may be the one that is being stopped: it
     * is left standing, even if the job is to be suspended.
     */
    private static StepResult whenAnotherRunIsListed(StepContext context) {
        String hint = savepointHint(context);
        return context.draft().job().startTime().isPresent()
                ? withoutKnownState(context, Reason.STATE_IN_DOUBT, new StartFrom.LastState(), hint)
                : HeldChange.askHuman(
                        context,
                        Reason.STATE_IN_DOUBT,
                        (hint + " " + RestorableState.whereStateMayBe(context)).strip());
    }

    /** Another operator may have recorded it, without a look at what it leaves. */
    private static Decision cancelRetainingState(
            StepContext context, StopStatus stop, JobView.Seen seen) {
        return context.isStateless() || !seen.isUncancelled()
                ? askAgain(context, stop)
                : cancelRetainingState(context, seen, () -> askAgain(context, stop));
    }

    /**
     * Of a job that another operator was about to cancel.
     *
     * @param cancel where that leaves its state
     */
    public static Decision cancelRetainingState(
            StepContext context, JobView.Seen seen, Supplier<Decision> cancel) {
        return switch (context.observed().state().retention()) {
            case Retention.NotAsked _, Retention.Unread _ -> waitForRetention(context);
            case Retention.Told(var retention) ->
                    switch (retention) {
                        case RETAINED, NO_CHECKPOINTS ->
                                seen.isUp()
                                        ? cancelRunningJob(context, seen, cancel)
                                        : cancel.get();
                        case DELETED ->
                                stopWithSavepointInstead(
                                        context, seen, Reason.CHECKPOINTS_NOT_RETAINED);
                    };
        };
    }

    private static Decision cancelRunningJob(
            StepContext context, JobView.Seen seen, Supplier<Decision> cancel) {
        return switch (UpgradeSituations.checkpoint(context)) {
            case MADE -> cancel.get();
            case UNREAD -> waitForRetention(context);
            case NONE -> stopWithSavepointInstead(context, seen, Reason.NO_CHECKPOINT);
        };
    }

    /**
     * The cancellation would take the job's state with it: one that runs is stopped with a
     * savepoint instead, where there is a folder for it.
     */
    private static Decision stopWithSavepointInstead(
            StepContext context, JobView.Seen seen, Reason why) {
        return SavepointOptions.of(context)
                .folder()
                .filter(_ -> seen.isUp())
                .flatMap(_ -> StopRequests.requestInstead(context, StopStatus.How.SAVEPOINT))
                .map(stop -> beginStop(context, stop))
                .orElseGet(
                        () ->
                                HeldChange.askHuman(
                                        context, why, RestorableState.whereStateMayBe(context)));
    }

    /** Whether a cancellation leaves the job's state is not known yet. */
    private static Decision waitForRetention(StepContext context) {
        return context.decide(
                Reason.STATE_UNREAD,
                context.observed().state().retention().doubt(),
                Optional.of(context.soon()));
    }

    /** Whether nothing has to be removed or restored before the job is submitted again. */
    private static boolean startsOverAtOnce(StepContext context) {
        return !context.target().hasOwnJobManager() && context.isStateless();
    }

    /** A JobManager that has just started lists nothing yet; one that stays so has lost the job. */
    private static StepResult whenNotListed(StepContext context, StopStatus stop) {
        if (startsOverAtOnce(context)) {
            return Upgrade.startAttempt(context, new StartFrom.Nothing());
        }
        StepContext missed = JobFacts.withJobMissing(context);
        Instant since =
                context.target().hasOwnJobManager()
                        ? missed.draft()
                                .job()
                                .updateTime()
                                .filter(at -> at.isAfter(stop.at()))
                                .orElse(stop.at())
                        : stop.at();
        if (context.observed().now().isBefore(since.plus(PATIENCE))) {
            return missed.decide(Reason.WAITING_FOR_SUBMISSION, context.soon());
        }
        return context.target().recoversFromMetadata() && goesOnFromMetadata(missed)
                ? Upgrade.startAttempt(missed, new StartFrom.LastState())
                : withoutKnownState(
                        missed,
                        Reason.UPGRADE_FAILED,
                        new StartFrom.LastState(),
                        savepointHint(context));
    }

    /**
     * How long a job is missing, or its JobManager silent, counts anew once it was listed; of a
     * session job see {@link FormerJobCancellation}.
     */
    private static StepContext withJobListed(StepContext context, JobView.Seen seen) {
        boolean wasMissed =
                !seen.state().isTerminal()
                        && context.draft().job().state().equals(Optional.of(JobState.RECONCILING));
        if (!wasMissed) {
            return context;
        }
        StatusDraft heard = context.draft().withJobState(seen.state(), context.observed().now());
        return context.withDraft(
                context.target().hasOwnJobManager()
                        ? heard.withJobManager(JobManagerDeploymentState.READY)
                        : heard);
    }

    /**
     * Without kept results a JobManager that restarts runs the job again, from nothing: what is
     * seen then is another job under the same id.
     */
    private static boolean isAnotherRun(StepContext context, JobView.Seen seen) {
        return !context.leavesEnded()
                && !Optional.of(seen.overview().startTime())
                        .equals(context.draft().job().startTime());
    }

    /**
     * Whether the job that is being stopped has come to its own end instead, which leaves no
     * savepoint. One that failed may have done so because of the stop.
     */
    public static boolean isOwnEnd(StepContext context) {
        boolean finished =
                context.observed().job() instanceof JobView.Seen seen
                        && seen.state() == JobState.FINISHED
                        && !isAnotherRun(context, seen);
        boolean unsaved =
                context.observed().state().last() instanceof LastCheckpoints.Told(Checkpoints told)
                        && (told.savepoint().isEmpty() || !told.latest().equals(told.savepoint()));
        boolean completed =
                context.observed().state().stop()
                        instanceof StopView.Told(SavepointStatus.Completed _);
        return context.stopUnderWay().isPresent() && finished && unsaved && !completed;
    }

    private static StepResult whenSavepointIsTold(
            StepContext context, StopStatus stop, JobView.Seen seen) {
        return switch (context.observed().state().stop()) {
            case StopView.NotAsked _ -> context.decide(Reason.JOB_UNREACHABLE, context.soon());
            case StopView.Silent(var message, var noAnswer) ->
                    context.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message);
            case StopView.Told(SavepointStatus.InProgress _) ->
                    context.decide(Reason.SAVEPOINT_IN_PROGRESS, context.soon());
            case StopView.Told(SavepointStatus.Completed _)
                    when !context.target().hasOwnJobManager() && !seen.state().isTerminal() ->
                    context.decide(Reason.SAVEPOINT_IN_PROGRESS, context.soon());
            case StopView.Told(SavepointStatus.Completed(var location)) ->
                    startAttempt(context, location);
            case StopView.Told(SavepointStatus.Unknown _) ->
                    seen.state().isTerminal() ? whenJobEnded(context, "") : askAgain(context, stop);
            case StopView.Told(SavepointStatus.Failed failed) ->
                    seen.state().isTerminal()
                            ? failed.location()
                                    .map(
                                            path ->
                                                    whenSavepointWasWrittenAndStopFailed(
                                                            context, path, failed.message()))
                                    .orElseGet(() -> whenJobEnded(context, failed.message()))
                            : whenStopFailed(context, stop, failed.message());
        };
    }

    /**
     * A stop that wrote a savepoint and failed all the same: the job may have run on since, from
     * its last checkpoint, and have kept more. Their order is the JobManager's to tell: its clock
     * can't be compared with the operator's.
     */
    private static StepResult whenSavepointWasWrittenAndStopFailed(
            StepContext context, String path, String message) {
        if (!(context.observed().state().last()
                instanceof LastCheckpoints.Told(Checkpoints told))) {
            return whenJobEnded(context, message);
        }
        boolean isLast = told.latest().filter(last -> last.path().equals(path)).isPresent();
        boolean isListed = told.savepoint().isPresent();
        boolean hasOthers = told.completed().isPresent();
        if (isLast || (!isListed && !hasOthers)) {
            return startAttempt(context, path);
        }
        return isListed
                ? whenJobEnded(context, message)
                : withoutKnownState(
                        context,
                        Reason.STATE_IN_DOUBT,
                        new StartFrom.LastState(),
                        "The stop wrote "
                                + path
                                + ", which the JobManager does not list; it lists "
                                + told.completed().map(CheckpointRef::path).orElse("")
                                + ".");
    }

    private static StepResult startAttempt(StepContext context, String path) {
        return Upgrade.startAttempt(
                StateTriggers.withSavepointOfStop(context, path), new StartFrom.Savepoint(path));
    }

    static Decision askAgain(StepContext context, StopStatus stop) {
        return withRequestedState(context, stop)
                .decide(reason(stop), context.soon(), StopRequests.action(context, stop));
    }

    private static StepContext withRequestedState(StepContext context, StopStatus stop) {
        return switch (stop.how()) {
            case CANCEL ->
                    context.withDraft(
                            draft ->
                                    draft.withJobState(
                                            JobState.CANCELLING, context.observed().now()));
            case SAVEPOINT -> context;
        };
    }

    private static Reason reason(StopStatus stop) {
        return switch (stop.how()) {
            case CANCEL -> Reason.JOB_CANCELLING;
            case SAVEPOINT -> Reason.SAVEPOINT_IN_PROGRESS;
        };
    }

    /** The job is done without a savepoint of ours: its last checkpoint is its state. */
    private static StepResult whenJobEnded(StepContext context, String message) {
        if (startsOverAtOnce(context)) {
            return Upgrade.startAttempt(context, new StartFrom.Nothing());
        }
        return switch (RestorableState.ofEndedJob(context)) {
            case RestorableState.Found(var from) -> Upgrade.startAttempt(context, from);
            case RestorableState.Unread(var why) ->
                    context.decide(Reason.STATE_UNREAD, why, Optional.of(context.soon()));
            case RestorableState.Lost _ ->
                    withoutKnownState(
                            context, Reason.UPGRADE_FAILED, new StartFrom.LastState(), message);
            case RestorableState.Gone(var path) ->
                    withoutKnownState(
                            context,
                            Reason.CHECKPOINT_NOT_FOUND,
                            new StartFrom.Savepoint(path),
                            path);
        };
    }

    /** The job runs on with its former spec. */
    private static Decision whenStopFailed(StepContext context, StopStatus stop, String message) {
        return context.withDraft(
                        draft -> draft.withStop(Optional.of(stop.failing(message))).deployed())
                .withEvent(
                        ResourceEvent.warning(
                                "JobManagerDeployment",
                                "SavepointError",
                                stop.triggerId(),
                                "Savepoint for the upgrade failed: "
                                        + message
                                        + StopRequests.nextFolder(context, stop)))
                .decide(
                        Reason.UPGRADE_SAVEPOINT_FAILED,
                        message,
                        Optional.of(StopRequests.pause(stop.tries())));
    }

    /** Where a savepoint is, should one have been made that nobody was told of. */
    public static String savepointHint(StepContext context) {
        int tries = context.stopUnderWay().map(StopStatus::tries).orElse(1);
        return SavepointOptions.of(context)
                .folder(tries)
                .map(
                        folder ->
                                "A savepoint of it would be "
                                        + folder
                                        + "/savepoint-"
                                        + context.jobId()
                                                .substring(0, Math.min(6, context.jobId().length()))
                                        + "-*.")
                .orElse("");
    }
}
