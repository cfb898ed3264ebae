// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.StopStatus;
import io.sluice.operator.deployment.Pass.JobId;
import io.sluice.operator.manifest.StartFrom;
import java.util.List;
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
final class Upgrade {
    private Upgrade() {}

    static StepResult decide(
            Snapshot snapshot,
            TakenUp before,
            FlinkDeploymentSpec spec,
            ReconciledSpec wanted,
            String changed) {
        Pass pass = new Pass(snapshot, wanted, spec, Draft.of(snapshot.status()), List.of());
        if (pass.stopUnderWay().isPresent() && !pass.isStateless()) {
            return new StepResult.Continue(ofNewSpec(pass));
        }
        Optional<StepResult> held =
                Removal.unconfirmable(pass, before).or(() -> SessionCluster.held(pass, before));
        if (held.isPresent()) {
            return held.get();
        }
        UpgradePlan.Situation standing = Standing.of(pass);
        UpgradePlan plan = UpgradePlan.of(standing);
        Optional<StepResult> suspended = Suspension.decide(pass, before, standing, plan);
        if (suspended.isPresent()) {
            return suspended.get();
        }
        return switch (plan) {
            case UpgradePlan.StartFresh _ -> takeUp(ofNewSpec(pass), new StartFrom.Nothing());
            case UpgradePlan.Restore(var from) ->
                    takeUp(ofNewSpec(pass), from, jobId(pass, from, standing));
            case UpgradePlan.Stop(var how) -> stop(pass, before, how);
            case UpgradePlan.Wait(var why) ->
                    Objection.waiting(
                            snapshot,
                            before,
                            why,
                            why == Reason.STATE_UNREAD ? snapshot.state().retention().doubt() : "");
            case UpgradePlan.AskHuman(var why) ->
                    Objection.asking(
                            snapshot,
                            before,
                            why,
                            "Changed: " + changed + ". " + KnownState.hint(pass));
        };
    }

    /** A spec that is new ends a rollback; what else is under way goes on. */
    static Pass ofNewSpec(Pass pass) {
        return switch (pass.draft().reconciliation().state()) {
            case ROLLING_BACK, ROLLED_BACK ->
                    pass.with(pass.draft().in(ReconciliationState.UPGRADING));
            case DEPLOYED, UPGRADING -> pass;
        };
    }

    /**
     * An attempt that has not been seen to run may yet do so, before its cluster is gone; highly
     * available Flink keeps the state of that by the job's id. One that takes its place has the
     * same, and goes on from there.
     */
    private static JobId jobId(Pass pass, StartFrom from, UpgradePlan.Situation standing) {
        boolean mayYetRun =
                standing.jobManager() == UpgradePlan.JobManager.NEVER_UP
                        && !pass.wasSuspended()
                        && !pass.isSessionJob();
        return mayYetRun ? JobId.KEPT : JobId.of(from);
    }

    /** The state is settled: records the spec with it, and removes what is left of the former. */
    static StepResult takeUp(Pass pass, StartFrom from) {
        return takeUp(pass, from, JobId.of(from));
    }

    /** As {@link #takeUp(Pass, StartFrom)}, under the job id that is on record or a new one. */
    static StepResult takeUp(Pass pass, StartFrom from, JobId jobId) {
        return Farewell.of(pass, from)
                .orElseGet(
                        () ->
                                pass.isDesiredRunning()
                                        ? restart(pass, from, jobId)
                                        : suspend(pass, from, jobId));
    }

    private static Decision restart(Pass pass, StartFrom from, JobId jobId) {
        Pass begun = Saving.abandoned(pass).beginning(from, jobId);
        begun =
                begun.telling(
                        Note.normal(
                                pass.isSessionJob() ? "Job" : "JobManagerDeployment",
                                "Submit",
                                begun.attempt().orElse(""),
                                "Starting deployment " + StateText.of(pass, from)));
        if (pass.isSessionJob()) {
            return begun.decided(Reason.JOB_SUBMITTING, begun.briefly());
        }
        if (pass.cluster().isGone()) {
            Pass starting = begun.starting();
            return starting.decided(
                    Reason.DEPLOYMENT_STARTED, pass.soon(), starting.creation(from));
        }
        return pass.isSessionCluster()
                ? announced(begun)
                : Dismissal.forFreshStart(begun, Reason.UPGRADE_STARTED);
    }

    /**
     * A session job records its stop and then looks whether its cluster is being replaced; so a
     * cluster records that, and then looks at its jobs. One of the two sees the other.
     */
    private static Decision announced(Pass begun) {
        return begun.decided(Reason.UPGRADE_STARTED, begun.briefly());
    }

    private static StepResult suspend(Pass running, StartFrom from, JobId jobId) {
        Pass pass = Saving.abandoned(running).toBeResumed(from, jobId);
        ReconciledSpec recorded = pass.recorded(from);
        Draft draft =
                pass.draft()
                        .with(pass.draft().attempt().withoutStop().withoutRollback())
                        .withJar(Optional.empty())
                        .restorableFrom(KnownState.recorded(from))
                        .rememberingUnproven(recorded)
                        .in(ReconciliationState.UPGRADING);
        Pass remembered =
                new Pass(pass.snapshot(), recorded, pass.spec(), draft, pass.notes())
                        .telling(
                                Note.normal(
                                        "JobManagerDeployment",
                                        "Suspended",
                                        "generation " + pass.snapshot().identity().generation(),
                                        "Suspending existing deployment; to be resumed "
                                                + StateText.of(running, from)));
        return pass.cluster().isGone() || pass.isSessionJob()
                ? new StepResult.Continue(remembered)
                : Dismissal.forFreshStart(remembered, Reason.SUSPENDING);
    }

    private static StepResult stop(Pass pass, TakenUp before, StopStatus.How how) {
        return Stops.next(pass, how)
                .<StepResult>map(stop -> Stopping.begin(pass, stop))
                .orElseGet(
                        () ->
                                Objection.waiting(
                                        pass.snapshot(),
                                        before,
                                        Reason.UPGRADE_SAVEPOINT_FAILED,
                                        pass.draft()
                                                .attempt()
                                                .stop()
                                                .flatMap(StopStatus::failure)
                                                .orElse("")));
    }
}
