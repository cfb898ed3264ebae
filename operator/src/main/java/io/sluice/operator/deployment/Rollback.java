// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.ReconciliationStatus;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.config.Options;
import io.sluice.rules.diff.SpecDiff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A spec that does not become stable in time makes way for the last one that was
 * (docs/contract/reconciler.md, section 9). The spec taken up last stays on record, so that nothing
 * happens until a user edits it.
 *
 * <pre>
 *   DEPLOYED, not stable in time ─▶ ROLLING_BACK ─▶ ROLLED_BACK ─▶ (edited) UPGRADING
 *              └── state not known ─▶ stays, and asks a human
 * </pre>
 *
 * How the state is taken along is {@link UpgradePlan}'s to say, as for any other restart.
 */
final class Rollback {
    private Rollback() {}

    /** Called while the spec is the one that was taken up. */
    static StepResult decide(Pass pass) {
        return isDue(pass) ? begin(pass) : new StepResult.Continue(pass);
    }

    /** The decision, with the reason that the last stable spec runs where it does. */
    static Decision reported(Snapshot snapshot, Decision decision) {
        boolean rolledBack =
                decision.status().reconciliationStatus().state() == ReconciliationState.ROLLED_BACK
                        && decision.reason().outlook() == Reason.Outlook.READY;
        return rolledBack
                ? Objection.saying(decision, Reason.ROLLED_BACK, "", snapshot)
                : decision;
    }

    /** The user asks for what a rollback has deployed already: nothing has to be restarted. */
    static Optional<StepResult> accepted(
            Snapshot snapshot, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        if (!isTo(snapshot, spec)) {
            return Optional.empty();
        }
        Draft draft = Draft.of(snapshot.status());
        Draft taken = draft.with(draft.attempt().withoutRollback());
        boolean isDeployed = draft.reconciliation().state() == ReconciliationState.ROLLED_BACK;
        if (isDeployed) {
            Draft accepted = taken.remembering(wanted).in(ReconciliationState.DEPLOYED);
            return Optional.of(
                    new StepResult.Continue(
                            new Pass(snapshot, wanted, spec, accepted, List.of())));
        }
        return draft.attempt().rolledBack()
                ? Optional.of(goingOn(snapshot, spec, wanted, taken))
                : Optional.empty();
    }

    /** The attempt on record runs the spec that is asked for: it goes on, as any other. */
    private static StepResult goingOn(
            Snapshot snapshot, FlinkDeploymentSpec spec, ReconciledSpec wanted, Draft taken) {
        ReconciledSpec recorded =
                snapshot.takenUp()
                        .flatMap(last -> last.spec().job())
                        .map(job -> wanted.restoredBy(job.upgradeMode()))
                        .orElse(wanted);
        Draft accepted = taken.rememberingUnproven(recorded).in(ReconciliationState.UPGRADING);
        return new StepResult.Continue(
                new Pass(snapshot, recorded, spec, accepted, List.of()));
    }

    /** Whether a rollback is under way or done, and {@code spec} is what it deploys. */
    static boolean isTo(Snapshot snapshot, FlinkDeploymentSpec spec) {
        return Draft.of(snapshot.status()).isRolledBack()
                && TakenUp.isStable(snapshot.status().reconciliationStatus(), spec);
    }

    private static boolean isDue(Pass pass) {
        return !pass.draft().isRolledBack()
                && pass.isDesiredRunning()
                && pass.stopUnderWay().isEmpty()
                && ReadinessDeadline.hasPassed(
                        pass.snapshot().status(),
                        new Options(pass.effective()),
                        pass.snapshot().now())
                && hasAnotherToGoBackTo(pass)
                && isFailing(pass);
    }

    /** On record the same spec may be told apart by what it was restored by; that is no other. */
    private static boolean hasAnotherToGoBackTo(Pass pass) {
        return TakenUp.stable(pass.draft().reconciliation())
                .filter(stable -> stable.spec().job().isPresent())
                .filter(stable -> stable.spec().flinkVersion().equals(pass.spec().flinkVersion()))
                .map(stable -> SpecDiff.between(stable.spec(), pass.spec()).effect())
                .filter(effect -> effect.compareTo(SpecDiff.Effect.IGNORE) > 0)
                .isPresent();
    }

    /** A user who cancelled the job, or a job that is done, is no failure of the spec. */
    private static boolean isFailing(Pass pass) {
        boolean ended =
                pass.draft()
                        .job()
                        .state()
                        .filter(state -> state == JobState.FINISHED || state == JobState.CANCELED)
                        .isPresent();
        if (ended) {
            return false;
        }
        if (pass.isUpgrading()) {
            return pass.snapshot().refusal().isPresent();
        }
        return switch (pass.cluster().jobManager()) {
            case JobManagerView.Terminating _ -> false;
            case JobManagerView.Absent _ -> true;
            case JobManagerView.Present(_, _, var available, _) -> !available || isJobDown(pass);
        };
    }

    /**
     * A JobManager that does not answer counts only once it has been seen so: one lost call, after
     * the operator was away for long, must not undo a good spec.
     */
    private static boolean isJobDown(Pass pass) {
        return switch (pass.snapshot().job()) {
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
                    pass.draft().jobManager() == JobManagerDeploymentState.DEPLOYED_NOT_READY;
        };
    }

    private static StepResult begin(Pass pass) {
        TakenUp stable = TakenUp.stable(pass.draft().reconciliation()).orElseThrow();
        Pass back = FormerSpec.onto(pass, stable.spec());
        return switch (UpgradePlan.of(Standing.of(back))) {
            case UpgradePlan.StartFresh _ -> restart(back, new StartFrom.Nothing());
            case UpgradePlan.Restore(var from) -> restart(back, from);
            case UpgradePlan.Stop(var how) ->
                    Stops.next(back, how)
                            .<StepResult>map(stop -> Stopping.begin(rolling(told(back)), stop))
                            .orElseGet(() -> new StepResult.Continue(pass));
            case UpgradePlan.Wait(var why) when why != Reason.WAITING_FOR_RUNNING_JOB ->
                    new StepResult.Continue(pass);
            case UpgradePlan.Wait _ -> unavailable(pass, Reason.ROLLBACK_UNAVAILABLE);
            case UpgradePlan.AskHuman(var why) ->
                    unavailable(
                            pass,
                            why == Reason.CHECKPOINTS_NOT_RETAINED
                                    ? why
                                    : Reason.ROLLBACK_UNAVAILABLE);
        };
    }

    private static Decision restart(Pass back, StartFrom from) {
        return Restart.of(
                rolling(told(back)),
                from,
                Reason.ROLLING_BACK,
                attempt ->
                        Note.normal(
                                "JobManagerDeployment",
                                "Submit",
                                attempt,
                                "Starting the last stable spec " + StateText.of(back, from)));
    }

    private static Pass told(Pass back) {
        return back.telling(
                Note.normal(
                        "JobManagerDeployment",
                        "Rollback",
                        "Rollback: " + back.snapshot().identity().generation(),
                        "Rolling back to the last stable spec: the current one did not become"
                                + " stable in time"));
    }

    private static Pass rolling(Pass back) {
        return back.with(back.draft().in(ReconciliationState.ROLLING_BACK));
    }

    /** The spec that fails stays as it is, and whatever else can be done for it is. */
    private static StepResult unavailable(Pass pass, Reason why) {
        String hint = KnownState.hint(pass);
        Note note = Objection.failure(why, why.text() + " " + hint, pass.snapshot());
        return new StepResult.Held(pass.telling(note), why, hint);
    }

}
