// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.Downtime;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.RestorableStateText;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepContext.JobId;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.Optional;

/**
 * A changed spec that asks for a restart: what becomes of the job's state, and then the former
 * cluster's removal and the new one's start.
 *
 * <pre>
 *   changed ─▶ plan ─▶ stop asked for ─▶ ended, state recorded ─┐
 *               ├── state known already ────────────────────────┴─▶ taken up ─▶ removed ─▶ started
 *               └── wait, ask a human, or for a pod that is lost: the former spec goes on,
 *                   but see {@link Suspension}
 * </pre>
 */
public final class Upgrade {
    private Upgrade() {}

    /**
     * What to do about the change.
     *
     * @param changed what asks for the restart, for people
     */
    public static StepResult decide(SpecChange change, String changed) {
        ObservedState observed = change.observed();
        LastReconciledSpec before = change.before();
        StepContext context = change.context();
        if (context.stopUnderWay().isPresent() && !context.isStateless()) {
            return new StepResult.Continue(ofNewSpec(context));
        }
        Optional<StepResult> held =
                ClusterRemoval.whenRemovalCannotBeConfirmed(context, before)
                        .or(() -> SessionClusterGuard.waitForSessionJobs(context, before));
        if (held.isPresent()) {
            return held.get();
        }
        UpgradePlan.Situation standing = UpgradeSituations.of(context);
        UpgradePlan plan = UpgradePlan.of(standing);
        Optional<StepResult> suspended = Suspension.decide(context, before, standing, plan);
        if (suspended.isPresent()) {
            return suspended.get();
        }
        return switch (plan) {
            case UpgradePlan.StartFresh _ ->
                    startAttempt(ofNewSpec(context), new StartFrom.Nothing());
            case UpgradePlan.Restore(var from) ->
                    startAttempt(ofNewSpec(context), from, jobId(context, from, standing));
            case UpgradePlan.Stop(var how) -> stop(context, before, how);
            case UpgradePlan.Wait(var why) ->
                    HeldChange.waitWithFormerSpec(
                            observed,
                            before,
                            why,
                            why == Reason.STATE_UNREAD ? observed.state().retention().doubt() : "");
            case UpgradePlan.AskHuman(var why) ->
                    HeldChange.askHumanWithFormerSpec(
                            observed,
                            before,
                            why,
                            "Changed: "
                                    + changed
                                    + ". "
                                    + RestorableState.whereStateMayBe(context));
        };
    }

    /** A spec that is new ends a rollback; what else is under way goes on. */
    public static StepContext ofNewSpec(StepContext context) {
        return switch (context.draft().reconciliation().state()) {
            case ROLLING_BACK, ROLLED_BACK ->
                    context.withDraft(draft -> draft.in(ReconciliationState.UPGRADING));
            case DEPLOYED, UPGRADING -> context;
        };
    }

    /**
     * An attempt that has not been seen to run may yet do so, before its cluster is gone; highly
     * available Flink keeps the state of that by the job's id. One that takes its place has the
     * same, and goes on from there. So has one that is resumed while the cluster of the suspended
     * one is still being removed.
     */
    static JobId jobId(StepContext context, StartFrom from, UpgradePlan.Situation standing) {
        boolean mayYetRun =
                standing.jobManager() == UpgradePlan.JobManager.NEVER_UP
                        && !(context.wasSuspended() && context.cluster().isGone())
                        && context.target().recoversFromMetadata();
        return mayYetRun ? JobId.KEPT : JobId.of(from);
    }

    /** The state is settled: records the spec with it, and removes what is left of the former. */
    public static StepResult startAttempt(StepContext context, StartFrom from) {
        return startAttempt(context, from, JobId.of(from));
    }

    /** As {@link #startAttempt(StepContext, StartFrom)}, under a new job id or the former one. */
    static StepResult startAttempt(StepContext context, StartFrom from, JobId jobId) {
        return FormerJobCancellation.cancelFormerJob(context, from)
                .orElseGet(
                        () ->
                                context.isDesiredRunning()
                                        ? restart(context, from, jobId)
                                        : suspend(context, from, jobId));
    }

    private static Decision restart(StepContext context, StartFrom from, JobId jobId) {
        StepContext begun =
                StateTriggers.withoutTriggers(Downtime.begin(context)).startAttempt(from, jobId);
        begun =
                begun.withEvent(
                        ResourceEvent.of(
                                context.target().component(),
                                OperatorEvent.SUBMIT,
                                begun.attempt().orElse(""),
                                "Starting deployment "
                                        + RestorableStateText.describe(context, from)));
        if (!context.target().hasOwnJobManager()) {
            return begun.decide(Reason.JOB_SUBMITTING, begun.briefly());
        }
        if (context.cluster().isGone()) {
            StepContext starting = begun.withStartOptions();
            return starting.decide(
                    Reason.DEPLOYMENT_STARTED,
                    context.soon(),
                    ClusterActions.create(starting, from));
        }
        return context.isSessionCluster()
                ? announced(begun)
                : CancelBeforeRemoval.beforeFreshStart(begun, Reason.UPGRADE_STARTED);
    }

    /**
     * A session job records its stop and then looks whether its cluster is being replaced; so a
     * cluster records that, and then looks at its jobs. One of the two sees the other.
     */
    private static Decision announced(StepContext begun) {
        return begun.decide(Reason.UPGRADE_STARTED, begun.briefly());
    }

    private static StepResult suspend(StepContext running, StartFrom from, JobId jobId) {
        StepContext context = StateTriggers.withoutTriggers(running).resumeFrom(from, jobId);
        ReconciledSpec recorded = context.withRestoreMode(from);
        AttemptStatus resting =
                context.draft()
                        .attempt()
                        .with()
                        .stop(Optional.empty())
                        .rolledBack(false)
                        .jar(Optional.empty())
                        .interruption(Optional.empty())
                        .build();
        StatusDraft draft =
                context.draft()
                        .withAttempt(resting)
                        .restorableFrom(RestorableState.recorded(from))
                        .rememberingUnproven(recorded)
                        .in(ReconciliationState.UPGRADING);
        StepContext remembered =
                context.with()
                        .wanted(recorded)
                        .draft(draft)
                        .build()
                        .withEvent(
                                ResourceEvent.of(
                                        "JobManagerDeployment",
                                        OperatorEvent.SUSPENDED,
                                        "generation " + context.observed().identity().generation(),
                                        "Suspending existing deployment; to be resumed "
                                                + RestorableStateText.describe(running, from)));
        return context.cluster().isGone() || !context.target().hasOwnJobManager()
                ? new StepResult.Continue(remembered)
                : CancelBeforeRemoval.beforeFreshStart(remembered, Reason.SUSPENDING);
    }

    private static StepResult stop(
            StepContext context, LastReconciledSpec before, StopStatus.How how) {
        return StopRequests.nextRequest(context, how)
                .<StepResult>map(stop -> StopInProgress.beginStop(context, stop))
                .orElseGet(
                        () ->
                                HeldChange.waitWithFormerSpec(
                                        context.observed(),
                                        before,
                                        Reason.UPGRADE_SAVEPOINT_FAILED,
                                        context.draft()
                                                .attempt()
                                                .stop()
                                                .flatMap(StopStatus::failure)
                                                .orElse("")));
    }
}
