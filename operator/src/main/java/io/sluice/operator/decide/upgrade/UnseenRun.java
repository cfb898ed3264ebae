// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import java.util.Optional;
import java.util.function.Function;

/**
 * A run that nobody saw before its end: its attempt was replaced, or suspended, before it came up,
 * and the cluster stood on, for example because the operator was down. What is on record has the id
 * of that job, so that the JobManager is asked about it before the cluster is removed. While the
 * job runs, and makes checkpoints, its high-availability metadata name them; Flink removes the
 * metadata with the job's end.
 *
 * <pre>
 *   ended, its state told ─▶ the recorded attempt starts from that
 *   ended, not told yet; JobManager just silent ─▶ nothing is removed, it is asked again
 *   runs, has made checkpoints that no metadata in Kubernetes names ─▶ it is stopped with its state
 *   anything else ─▶ what is on record holds
 * </pre>
 */
public final class UnseenRun {
    private UnseenRun() {}

    /**
     * Decides with the state on record that such a run has left.
     *
     * @param next what is decided once that is known
     */
    public static Decision decide(ObservedState observed, Function<ObservedState, Decision> next) {
        return FormerSpec.of(observed)
                .filter(UnseenRun::mayHaveRun)
                .map(context -> decide(context, next))
                .orElseGet(() -> next.apply(observed));
    }

    /** Whether what stands may have run the job on record, whose start is not. */
    private static boolean mayHaveRun(StepContext context) {
        boolean stands =
                context.cluster().jobManager()
                                instanceof JobManagerView.Present(_, var attempt, var up, _)
                        && up
                        && (context.wasSuspended()
                                || (context.isUpgrading() && !attempt.equals(context.attempt())));
        return stands
                && context.target() instanceof Target.Application
                && context.stopUnderWay().isEmpty()
                && context.draft().job().startTime().isEmpty()
                && !context.isStateless()
                && context.observed().spec().asksForState()
                && startsFromElsewhere(context);
    }

    /** From what was known before that run; the metadata of one that goes on come first. */
    private static boolean startsFromElsewhere(StepContext context) {
        return RestorableState.ofAttempt(context) instanceof RestorableState.Found(var from)
                && !(from instanceof StartFrom.LastState);
    }

    private static Decision decide(StepContext context, Function<ObservedState, Decision> next) {
        return switch (context.observed().job()) {
            case JobView.Seen seen when seen.state().isTerminal() -> whenEnded(context, next);
            case JobView.Unreachable(var message, _)
                    when keepsId(context) && JobFacts.isJustSilent(context) ->
                    askAgain(
                            context.withDraft(
                                    draft -> draft.withUnknownJobState(context.observed().now())),
                            message);
            case JobView.Seen seen when isKnownToNobodyElse(context) -> stop(context, seen, next);
            case JobView.Seen _, JobView.Unreachable _, JobView.NotAsked _, JobView.NotListed _ ->
                    next.apply(context.observed());
        };
    }

    /**
     * Whether the JobManager lists that run, and nobody else can tell of the checkpoints that it
     * makes. A redeployment that a user has asked for since is under an id of its own.
     */
    private static boolean isKnownToNobodyElse(StepContext context) {
        return keepsId(context) && !context.running().keepsMetadataInKubernetes();
    }

    /**
     * A job that has made no checkpoint loses nothing if it begins once more, and one that is only
     * being initialized has made none.
     */
    private static Decision stop(
            StepContext context, JobView.Seen seen, Function<ObservedState, Decision> next) {
        boolean hasMadeNone =
                seen.state() == JobState.INITIALIZING
                        || CancellationCost.of(context, seen)
                                .equals(new CancellationCost.State(Reason.NO_CHECKPOINT));
        return hasMadeNone || !seen.isUncancelled()
                ? next.apply(context.observed())
                : StopInProgress.cancelRetainingState(
                        context,
                        seen,
                        () ->
                                StopRequests.nextRequest(context, StopStatus.How.CANCEL)
                                        .map(stop -> StopInProgress.beginStop(context, stop))
                                        .orElseGet(() -> next.apply(context.observed())));
    }

    private static Decision whenEnded(StepContext context, Function<ObservedState, Decision> next) {
        return switch (RestorableState.ofEndedJob(context)) {
            case RestorableState.Found(StartFrom.Savepoint(var path)) ->
                    next.apply(startingFrom(path, context));
            case RestorableState.Gone(var path) -> next.apply(startingFrom(path, context));
            case RestorableState.Found _, RestorableState.Lost _ -> next.apply(context.observed());
            case RestorableState.Unread(var why) -> askAgain(context, why);
        };
    }

    private static ObservedState startingFrom(String path, StepContext context) {
        var status = context.observed().status();
        return context.observed()
                .withStatus(
                        status.with()
                                .jobStatus(
                                        status.jobStatus()
                                                .withUpgradeSavepointPath(Optional.of(path)))
                                .attempt(status.attempt().withStartsEmpty(false))
                                .build());
    }

    /** An attempt that takes the place of one that may yet run has the id of its job. */
    private static boolean keepsId(StepContext context) {
        return context.wasSuspended() || !context.attempt().equals(context.draft().job().jobId());
    }

    private static Decision askAgain(StepContext context, String why) {
        return context.decide(Reason.STATE_UNREAD, why, Optional.of(context.soon()));
    }
}
