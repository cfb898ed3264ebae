// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.Target.SessionClusterView;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The former job of a session job's resource, before the next one is started: an application's is
 * removed with its cluster ({@link CancelBeforeRemoval}), this one has to be cancelled, and to have
 * ended for certain.
 */
public final class FormerJobCancellation {
    /** Flink can be told to put them into no folder of the job. */
    private static final Pattern CHECKPOINT = Pattern.compile("(?:/([0-9a-f]{32}))?/chk-\\d+/?$");

    private FormerJobCancellation() {}

    /**
     * Empty once the former job has ended, and for everything that is no session job.
     *
     * @param from what the next one is to start from
     */
    static Optional<StepResult> cancelFormerJob(StepContext context, StartFrom from) {
        if (context.target().hasOwnJobManager()
                || JobFacts.neverRan(context)
                || JobFacts.recordedEnd(context).isPresent()) {
            return Optional.empty();
        }
        if (context.sessionJob().get().cluster().state() == SessionClusterView.State.MISSING) {
            return Optional.empty();
        }
        return switch (context.observed().job()) {
            case JobView.Seen seen when seen.state().isTerminal() -> Optional.empty();
            case JobView.Seen seen ->
                    Optional.of(
                            seen.isUncancelled() && isOwnCheckpoint(context, from)
                                    ? cancelIfCheckpointsAreRetained(context)
                                    : cancel(context));
            case JobView.NotListed _ -> whenNotListed(context);
            case JobView.NotAsked _ -> Optional.of(waitForFormerJob(context, ""));
            case JobView.Unreachable(var message, _) ->
                    Optional.of(waitForFormerJob(context, message));
        };
    }

    /** Whether the former job made what the next one is to start from, and may delete it. */
    private static boolean isOwnCheckpoint(StepContext context, StartFrom from) {
        if (!(from instanceof StartFrom.Savepoint(var path))) {
            return false;
        }
        Matcher matcher = CHECKPOINT.matcher(path);
        return matcher.find()
                && Optional.ofNullable(matcher.group(1))
                        .filter(other -> !other.equals(context.jobId()))
                        .isEmpty();
    }

    /** A human has named a checkpoint of the job that runs. */
    private static StepResult cancelIfCheckpointsAreRetained(StepContext context) {
        ObservedState observed = context.observed();
        LastReconciledSpec before = observed.lastReconciled().orElseThrow();
        Retention retention = observed.state().retention();
        return switch (retention) {
            case Retention.NotAsked _, Retention.Unread _ ->
                    HeldChange.waitWithFormerSpec(
                            observed, before, Reason.STATE_UNREAD, retention.doubt());
            case Retention.Known(var told) ->
                    switch (told) {
                        case RETAINED, NO_CHECKPOINTS -> cancel(context);
                        case DELETED ->
                                HeldChange.askHumanWithFormerSpec(
                                        observed,
                                        before,
                                        Reason.CHECKPOINTS_NOT_RETAINED,
                                        "spec.job.initialSavepointPath names one of them.");
                    };
        };
    }

    private static Decision cancel(StepContext context) {
        return context.stopUnderWay()
                .filter(stop -> stop.how() == StopStatus.How.CANCEL)
                .map(stop -> StopInProgress.askAgain(context, stop))
                .orElseGet(() -> StopInProgress.beginStop(context, newCancellation(context, "")));
    }

    /** A cancellation; the same whenever the same reconciliation is repeated. */
    public static StopStatus newCancellation(StepContext context, String occasion) {
        var identity = context.observed().identity();
        String trigger =
                AttemptIds.trigger(
                        identity.uid(),
                        identity.generation(),
                        context.attempt().orElse("") + occasion + "/cancel",
                        1);
        return new StopStatus(
                StopStatus.How.CANCEL,
                trigger,
                identity.generation(),
                1,
                context.observed().now(),
                Optional.empty());
    }

    private static Optional<StepResult> whenNotListed(StepContext context) {
        StepContext missed =
                context.withDraft(
                        draft ->
                                draft.withJobState(JobState.RECONCILING, context.observed().now()));
        return JobFacts.isGone(missed)
                ? Optional.empty()
                : Optional.of(waitForFormerJob(missed, ""));
    }

    private static Decision waitForFormerJob(StepContext context, String detail) {
        return context.decide(Reason.WAITING_FOR_FORMER_JOB, detail, Optional.of(context.soon()));
    }
}
