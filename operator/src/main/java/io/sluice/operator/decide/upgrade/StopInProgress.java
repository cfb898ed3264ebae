// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.Downtime;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A job whose stop is on record. The JobManager is asked for it until it knows of it, the job is
 * watched until it has ended, and its state is recorded together with the next spec. Nothing is
 * removed before.
 *
 * <pre>
 *   recorded ─▶ asked for ─▶ ended, state told ─▶ {@link Upgrade#startAttempt}
 *                  ├── failed, the job runs on ─▶ former spec, tried again later
 *                  ├── no answer for long, metadata has a checkpoint ─▶ {@link Upgrade#startAttempt}
 *                  └── nobody can tell the state ─▶ a human
 * </pre>
 *
 * {@link StopAnswer} is what was observed of it, {@link UnansweredStop} waits for a JobManager that
 * says nothing, and {@link StateAfterStop} chooses the state of the next attempt.
 */
public final class StopInProgress {
    private StopInProgress() {}

    public static Decision beginStop(StepContext context, StopStatus stop) {
        StepContext measured = Downtime.begin(context);
        StepContext seen =
                measured.observed().job() instanceof JobView.Seen(_, var overview)
                        ? measured.withDraft(draft -> draft.seen(overview))
                        : measured;
        StepContext begun =
                withRequestedState(
                        seen.withDraft(draft -> draft.stoppingBy(stop).withJar(Optional.empty())),
                        stop);
        return begun.withEvent(
                        ResourceEvent.of(
                                "JobManagerDeployment",
                                OperatorEvent.SUSPENDED,
                                stop.triggerId(),
                                "Suspending existing deployment"))
                .decide(reason(stop), begun.untilStopped(stop.at()), effects(begun, stop));
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
        return switch (StopAnswer.of(context, stop)) {
            case StopAnswer.ClusterTerminating _ ->
                    ClusterRemoval.awaitRemoval(context, Reason.WAITING_FOR_REMOVAL);
            case StopAnswer.ClusterRemoved _ -> StateAfterStop.ofRemovedCluster(context);
            case StopAnswer.ClusterDown _ -> UnansweredStop.whenClusterIsDown(context, stop);
            case StopAnswer.Silent(var message, var noAnswer) ->
                    UnansweredStop.whenSilent(context, stop, message, noAnswer);
            case StopAnswer.NotListed _ -> UnansweredStop.whenNotListed(context, stop);
            case StopAnswer.AnotherRun _ -> StateAfterStop.ofAnotherRun(context);
            case StopAnswer.Listed(var job, var progress) ->
                    whenListed(withJobListed(context, stop, job), stop, job, progress);
        };
    }

    private static StepResult whenListed(
            StepContext context, StopStatus stop, JobView.Seen job, StopProgress progress) {
        return switch (progress) {
            case StopProgress.ToBeCancelled _ -> cancelRetainingState(context, stop, job);
            case StopProgress.SavepointNotAsked _ ->
                    context.decide(Reason.JOB_UNREACHABLE, context.soon());
            case StopProgress.SavepointUnread(var message, var noAnswer) ->
                    context.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message);
            case StopProgress.SavepointInProgress _ ->
                    context.decide(Reason.SAVEPOINT_IN_PROGRESS, context.untilStopped(stop.at()));
            case StopProgress.SavepointCompleted(var path) ->
                    StateAfterStop.ofSavepoint(context, path);
            case StopProgress.NotRequested _ -> askAgain(context, stop);
            case StopProgress.Failed(var message) -> whenStopFailed(context, stop, message);
            case StopProgress.FailedWithSavepoint(var path, var message) ->
                    StateAfterStop.ofFailedStop(context, path, message);
            case StopProgress.SavepointForgotten _ -> StateAfterStop.ofForgottenSavepoint(context);
            case StopProgress.Ended(var message) -> StateAfterStop.ofEndedJob(context, message);
        };
    }

    /** Another operator may have recorded the stop without a look at what it leaves. */
    private static Decision cancelRetainingState(
            StepContext context, StopStatus stop, JobView.Seen seen) {
        return context.isStateless() || !seen.isUncancelled()
                ? askAgain(context, stop)
                : cancelRetainingState(context, seen, () -> askAgain(context, stop));
    }

    /**
     * Cancels a job that another operator was about to cancel, unless that costs its state.
     *
     * @param cancel what cancels the job
     */
    public static Decision cancelRetainingState(
            StepContext context, JobView.Seen seen, Supplier<Decision> cancel) {
        return switch (CancellationCost.of(context, seen)) {
            case CancellationCost.Nothing _ -> cancel.get();
            case CancellationCost.Unread _ ->
                    context.decide(
                            Reason.STATE_UNREAD,
                            context.observed().state().retention().doubt(),
                            Optional.of(context.soon()));
            case CancellationCost.State(var why) -> stopWithSavepointInstead(context, seen, why);
        };
    }

    /**
     * The cancellation would take the job's state with it: a job that runs is stopped with a
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

    /**
     * How long a job is missing, or its JobManager silent, counts anew once it was listed. {@link
     * FormerJobCancellation} counts how long a session job is missing that is cancelled.
     */
    private static StepContext withJobListed(
            StepContext context, StopStatus stop, JobView.Seen seen) {
        boolean isCounted =
                stop.how() == StopStatus.How.SAVEPOINT || context.target().hasOwnJobManager();
        boolean wasMissed =
                !seen.state().isTerminal()
                        && context.draft().job().state().equals(Optional.of(JobState.RECONCILING));
        if (!isCounted || !wasMissed) {
            return context;
        }
        StatusDraft heard = context.draft().withJobState(seen.state(), context.observed().now());
        return context.withDraft(
                context.target().hasOwnJobManager()
                        ? heard.withJobManager(JobManagerDeploymentState.READY)
                        : heard);
    }

    static Decision askAgain(StepContext context, StopStatus stop) {
        return withRequestedState(context, stop)
                .decide(
                        reason(stop),
                        context.untilStopped(stop.at()),
                        StopRequests.action(context, stop));
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

    /** The job runs on with its former spec. */
    private static Decision whenStopFailed(StepContext context, StopStatus stop, String message) {
        return context.withDraft(
                        draft ->
                                draft.withStop(Optional.of(stop.failing(message)))
                                        .uninterrupted()
                                        .deployed())
                .withEvent(
                        ResourceEvent.of(
                                "JobManagerDeployment",
                                OperatorEvent.SAVEPOINT_ERROR,
                                stop.triggerId(),
                                "Savepoint for the upgrade failed: "
                                        + message
                                        + StopRequests.nextFolder(context, stop)))
                .decide(
                        Reason.UPGRADE_SAVEPOINT_FAILED,
                        message,
                        Optional.of(StopRequests.pause(stop.tries())));
    }
}
