// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.Optional;

/**
 * A job that is to be suspended, and whose state nobody can tell, or that the rest of the change
 * can't go on from. Nothing is started by a suspension, so that it needs no human: the cluster is
 * removed, what is on record and Flink's metadata stay, and a human is asked once the job is to be
 * resumed.
 *
 * <pre>
 *   the plan waits or asks ─▶ would the former spec, suspended, keep the state? ─▶ that one
 *                                  └── no ─▶ can it still be told? ─▶ waits, asks
 *                                                 └── no ─▶ suspended, its state marked as not known
 * </pre>
 */
final class Suspension {
    /** A JobManager that misses a probe is no broken one, whatever other pods say. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Suspension() {}

    /** Empty if the job is to run, or has to be waited for. */
    static Optional<StepResult> decide(
            StepContext context,
            LastReconciledSpec before,
            UpgradePlan.Situation standing,
            UpgradePlan plan) {
        if (context.isDesiredRunning()) {
            return Optional.empty();
        }
        return switch (plan) {
            case UpgradePlan.AskHuman(var why) when context.wasSuspended() ->
                    suspendAtRest(context, why);
            case UpgradePlan.AskHuman(var why) ->
                    suspendWithoutChange(context, before, standing, why);
            case UpgradePlan.Wait(var why) when why == Reason.WAITING_FOR_RUNNING_JOB ->
                    suspendWithoutChange(context, before, standing, Reason.UPGRADE_FAILED);
            case UpgradePlan.Wait _,
                    UpgradePlan.Stop _,
                    UpgradePlan.Restore _,
                    UpgradePlan.StartFresh _ ->
                    Optional.empty();
        };
    }

    /** At rest already: what else has changed is remembered, if the state can't be used anyway. */
    private static Optional<StepResult> suspendAtRest(StepContext context, Reason why) {
        if (why == Reason.LAST_STATE_UNUSABLE) {
            return Optional.empty();
        }
        StartFrom mark = mark(RestorableState.ofAttempt(context));
        ReconciledSpec recorded = context.withRestoreMode(mark);
        return Optional.of(
                new StepResult.Continue(
                        context.with()
                                .wanted(recorded)
                                .draft(context.draft().rememberingUnproven(recorded))
                                .build()));
    }

    /** The suspension by itself, without what else has changed. */
    private static Optional<StepResult> suspendWithoutChange(
            StepContext context,
            LastReconciledSpec before,
            UpgradePlan.Situation standing,
            Reason why) {
        StepContext former = former(context, before);
        UpgradePlan.Situation formerly = UpgradeSituations.of(former);
        return switch (UpgradePlan.of(formerly)) {
            case UpgradePlan.Restore(var from) -> Optional.of(startAttempt(former, from));
            case UpgradePlan.Stop(var how) ->
                    StopRequests.nextRequest(context, how)
                            .map(it -> StopInProgress.beginStop(context, it));
            case UpgradePlan.AskHuman _, UpgradePlan.Wait _, UpgradePlan.StartFresh _ ->
                    mayYetTell(context, standing)
                            ? Optional.empty()
                            : Optional.of(
                                    formerly.recoverable()
                                            ? startAttempt(former, new StartFrom.LastState())
                                            : suspendWithoutState(
                                                    context, why, mark(standing.known()), ""));
        };
    }

    /**
     * The suspension by itself of a job whose state only the former spec can be resumed from.
     *
     * @param from what is on record from now on
     */
    static StepResult suspendFormerSpec(StepContext context, StartFrom from) {
        LastReconciledSpec before = context.observed().lastReconciled().orElseThrow();
        return startAttempt(former(context, before), from);
    }

    private static StepContext former(StepContext context, LastReconciledSpec before) {
        ReconciledSpec suspended =
                new ReconciledSpec(before.raw(), false)
                        .wishing(DesiredJobState.SUSPENDED)
                        .restoredBy(
                                context.spec()
                                        .job()
                                        .map(JobSpec::upgradeMode)
                                        .orElse(UpgradeMode.STATELESS));
        return context.with()
                .wanted(suspended)
                .spec(FlinkDeploymentSpec.parse(suspended.spec(), "spec").value())
                .build();
    }

    private static boolean mayYetTell(StepContext context, UpgradePlan.Situation standing) {
        return switch (standing.jobManager()) {
            case MISSING, NEVER_UP -> false;
            case BROKEN -> !isBroken(context);
            case READY, STARTING ->
                    switch (standing.job()) {
                        case GONE, CANCELED, ENDED, BEGUN_ANEW -> false;
                        case RUNNING, UNSETTLED, CANCELLING, UNKNOWN, JUST_SILENT -> true;
                    };
        };
    }

    /**
     * Whether a JobManager's pod has not been able to run for so long that it is not waited for.
     */
    static boolean isBroken(StepContext context) {
        return context.cluster().problem().isPresent()
                && context.cluster().isBroken()
                && context.draft().job().state().equals(Optional.of(JobState.RECONCILING))
                && context.draft()
                        .job()
                        .updateTime()
                        .filter(since -> since.plus(PATIENCE).isBefore(context.observed().now()))
                        .isPresent();
    }

    /** What is kept of a state that can't be used; of a lost one, that it is in the metadata. */
    private static StartFrom mark(RestorableState known) {
        return known instanceof RestorableState.Gone(var path)
                ? new StartFrom.Savepoint(path)
                : new StartFrom.LastState();
    }

    /**
     * Suspends a job that nobody can tell the state of.
     *
     * @param why it can't be told
     * @param mark what is on record from now on; nothing can be started from it
     */
    static StepResult suspendWithoutState(
            StepContext context, Reason why, StartFrom mark, String detail) {
        String hint = (detail + " " + RestorableState.whereStateMayBe(context)).strip();
        StepContext telling =
                context.withEvent(
                        HeldChange.failure(
                                why,
                                "Suspended, although the job can't be resumed without a decision."
                                        + " "
                                        + why.text()
                                        + " "
                                        + hint,
                                context.observed()));
        return startAttempt(telling.withDraft(draft -> withBestKnown(context, draft)), mark);
    }

    private static StepResult startAttempt(StepContext context, StartFrom from) {
        return Upgrade.startAttempt(Upgrade.ofNewSpec(context), from);
    }

    /** What the attempt started from gives way to the mark, and may be the best that is left. */
    private static StatusDraft withBestKnown(StepContext context, StatusDraft draft) {
        return draft.withAttempt(
                draft.attempt().withLastCheckpoint(RestorableState.bestKnown(context)));
    }
}
