// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.RestorableStateText;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepContext.JobId;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ReadinessDeadline;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Options;
import io.sluice.rules.diff.SpecDiff;
import java.util.Optional;

/**
 * A spec that does not become stable in time makes way for the last one that was
 * (docs/contract/reconciler.md, section 9). The last reconciled spec stays on record, so that
 * nothing happens until a user edits it.
 *
 * <pre>
 *   DEPLOYED, not stable in time ─▶ ROLLING_BACK ─▶ ROLLED_BACK ─▶ (edited) UPGRADING
 *              └── state not known ─▶ stays, and asks a human
 * </pre>
 *
 * How the state is taken along is {@link UpgradePlan}'s to say, as for any other restart.
 */
public final class Rollback {
    private Rollback() {}

    /** Called while the spec is the last reconciled one. */
    public static StepResult decide(StepContext context) {
        return isDue(context) ? beginRollback(context) : new StepResult.Continue(context);
    }

    /** The decision, with the reason that the last stable spec runs where it does. */
    public static Decision withReason(ObservedState observed, Decision decision) {
        boolean rolledBack =
                decision.status().reconciliationStatus().state() == ReconciliationState.ROLLED_BACK
                        && decision.reason().outlook() == Reason.Outlook.READY;
        return rolledBack
                ? HeldChange.withReason(decision, Reason.ROLLED_BACK, "", observed)
                : decision;
    }

    /** The user asks for what a rollback has deployed already: nothing has to be restarted. */
    public static Optional<StepResult> acceptRolledBackSpec(SpecChange change) {
        if (!isTo(change)) {
            return Optional.empty();
        }
        StepContext context = change.context();
        AttemptStatus attempt = context.draft().attempt();
        StatusDraft taken = context.draft().withAttempt(attempt.withRolledBack(false));
        boolean isDeployed = taken.reconciliation().state() == ReconciliationState.ROLLED_BACK;
        if (isDeployed) {
            return Optional.of(
                    new StepResult.Continue(
                            context.withDraft(
                                    taken.remembering(change.wanted())
                                            .in(ReconciliationState.DEPLOYED))));
        }
        return attempt.rolledBack()
                ? Optional.of(continueAttempt(change, taken))
                : Optional.empty();
    }

    /** The attempt on record runs the spec that is asked for: it goes on, as any other. */
    private static StepResult continueAttempt(SpecChange change, StatusDraft taken) {
        ReconciledSpec wanted = change.wanted();
        ReconciledSpec recorded =
                change.before()
                        .spec()
                        .job()
                        .map(job -> wanted.restoredBy(job.upgradeMode()))
                        .orElse(wanted);
        StatusDraft accepted =
                taken.rememberingUnproven(recorded).in(ReconciliationState.UPGRADING);
        return new StepResult.Continue(
                change.context().with().wanted(recorded).draft(accepted).build());
    }

    /** Whether a rollback is under way or done, and the changed spec is what it deploys. */
    public static boolean isTo(SpecChange change) {
        StatusDraft draft = change.context().draft();
        return draft.isRolledBack()
                && LastReconciledSpec.isStable(draft.reconciliation(), change.spec());
    }

    private static boolean isDue(StepContext context) {
        return !context.draft().isRolledBack()
                && context.isDesiredRunning()
                && context.stopUnderWay().isEmpty()
                && ReadinessDeadline.hasPassed(
                        context.observed().status(),
                        new Options(context.effective()),
                        context.observed().now())
                && hasAnotherToGoBackTo(context)
                && isFailing(context);
    }

    /** On record the same spec may be told apart by what it was restored by; that is no other. */
    private static boolean hasAnotherToGoBackTo(StepContext context) {
        return LastReconciledSpec.stable(context.draft().reconciliation())
                .filter(stable -> stable.spec().job().isPresent())
                .filter(
                        stable ->
                                stable.spec().flinkVersion().equals(context.spec().flinkVersion()))
                .map(stable -> SpecDiff.between(stable.spec(), context.spec()).effect())
                .filter(effect -> effect.compareTo(SpecDiff.Effect.IGNORE) > 0)
                .isPresent();
    }

    /** A user who cancelled the job, or a job that is done, is no failure of the spec. */
    private static boolean isFailing(StepContext context) {
        boolean ended =
                context.draft()
                        .job()
                        .state()
                        .filter(state -> state == JobState.FINISHED || state == JobState.CANCELED)
                        .isPresent();
        if (ended) {
            return false;
        }
        if (context.isUpgrading()) {
            return context.observed().refusal().isPresent();
        }
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Terminating _ -> false;
            case JobManagerView.Absent _ -> true;
            case JobManagerView.Present(_, _, var available, _) -> !available || isJobDown(context);
        };
    }

    /**
     * A JobManager that does not answer counts only once it has been seen so: one lost call, after
     * the operator was away for long, must not undo a good spec.
     */
    private static boolean isJobDown(StepContext context) {
        return switch (context.observed().job()) {
            case JobView.Seen seen ->
                    !seen.isUp()
                            && switch (seen.state()) {
                                case FINISHED, CANCELED, CANCELLING -> false;
                                case INITIALIZING,
                                        CREATED,
                                        RUNNING,
                                        FAILING,
                                        FAILED,
                                        RESTARTING,
                                        SUSPENDED,
                                        RECONCILING ->
                                        true;
                            };
            case JobView.NotListed _ -> true;
            case JobView.NotAsked _, JobView.Unreachable _ ->
                    context.draft().jobManager() == JobManagerDeploymentState.DEPLOYED_NOT_READY;
        };
    }

    private static StepResult beginRollback(StepContext context) {
        LastReconciledSpec stable =
                LastReconciledSpec.stable(context.draft().reconciliation()).orElseThrow();
        StepContext back = context.withSpec(stable.spec());
        UpgradePlan.Situation standing = UpgradeSituations.of(back);
        return switch (UpgradePlan.of(standing)) {
            case UpgradePlan.StartFresh _ -> restartFrom(back, new StartFrom.Nothing(), JobId.NEW);
            case UpgradePlan.Restore(var from) ->
                    restartFrom(back, from, Upgrade.jobId(back, from, standing));
            case UpgradePlan.Stop(var how) ->
                    StopRequests.nextRequest(back, how)
                            .<StepResult>map(
                                    stop ->
                                            StopInProgress.beginStop(
                                                    rolling(withRollbackEvent(back)), stop))
                            .orElseGet(() -> new StepResult.Continue(context));
            case UpgradePlan.Wait(var why) when why != Reason.WAITING_FOR_RUNNING_JOB ->
                    new StepResult.Continue(context);
            case UpgradePlan.Wait _ -> askHuman(context, Reason.ROLLBACK_UNAVAILABLE);
            case UpgradePlan.AskHuman(var why) ->
                    askHuman(
                            context,
                            why == Reason.CHECKPOINTS_NOT_RETAINED
                                    ? why
                                    : Reason.ROLLBACK_UNAVAILABLE);
        };
    }

    private static Decision restartFrom(StepContext back, StartFrom from, JobId jobId) {
        return NewAttempt.record(
                rolling(withRollbackEvent(back)),
                from,
                jobId,
                Reason.ROLLING_BACK,
                attempt ->
                        ResourceEvent.of(
                                "JobManagerDeployment",
                                OperatorEvent.SUBMIT,
                                attempt,
                                "Starting the last stable spec "
                                        + RestorableStateText.describe(back, from)));
    }

    private static StepContext withRollbackEvent(StepContext back) {
        return back.withEvent(
                ResourceEvent.of(
                        "JobManagerDeployment",
                        OperatorEvent.ROLLBACK,
                        "Rollback: " + back.observed().identity().generation(),
                        "Rolling back to the last stable spec: the current one did not become"
                                + " stable in time"));
    }

    private static StepContext rolling(StepContext back) {
        return back.withDraft(draft -> draft.in(ReconciliationState.ROLLING_BACK));
    }

    /** The spec that fails stays as it is, and whatever else can be done for it is. */
    private static StepResult askHuman(StepContext context, Reason why) {
        String hint = RestorableState.whereStateMayBe(context);
        ResourceEvent event = HeldChange.failure(why, why.text() + " " + hint, context.observed());
        return new StepResult.Held(context.withEvent(event), why, hint);
    }
}
