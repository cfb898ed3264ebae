// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.DesiredJobState;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.UpgradeMode;
import io.sluice.operator.manifest.StartFrom;
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
            Pass pass, TakenUp before, UpgradePlan.Situation standing, UpgradePlan plan) {
        if (pass.isDesiredRunning()) {
            return Optional.empty();
        }
        return switch (plan) {
            case UpgradePlan.AskHuman(var why) when pass.wasSuspended() -> resting(pass, why);
            case UpgradePlan.AskHuman(var why) -> alone(pass, before, standing, why);
            case UpgradePlan.Wait(var why) when why == Reason.WAITING_FOR_RUNNING_JOB ->
                    alone(pass, before, standing, Reason.STATE_LOST);
            case UpgradePlan.Wait _,
                    UpgradePlan.Stop _,
                    UpgradePlan.Restore _,
                    UpgradePlan.StartFresh _ ->
                    Optional.empty();
        };
    }

    /** At rest already: what else has changed is remembered, if the state can't be used anyway. */
    private static Optional<StepResult> resting(Pass pass, Reason why) {
        if (why == Reason.LAST_STATE_UNUSABLE) {
            return Optional.empty();
        }
        Draft draft = pass.draft();
        StartFrom mark = mark(KnownState.source(pass));
        ReconciledSpec recorded = pass.recorded(mark);
        return Optional.of(
                new StepResult.Continue(
                        new Pass(
                                pass.snapshot(),
                                recorded,
                                pass.spec(),
                                draft.rememberingUnproven(recorded),
                                pass.notes())));
    }

    /** The suspension by itself, without what else has changed. */
    private static Optional<StepResult> alone(
            Pass pass, TakenUp before, UpgradePlan.Situation standing, Reason why) {
        Pass former = former(pass, before);
        UpgradePlan.Situation formerly = Standing.of(former);
        return switch (UpgradePlan.of(formerly)) {
            case UpgradePlan.Restore(var from) -> Optional.of(takeUp(former, from));
            case UpgradePlan.Stop(var how) ->
                    Stops.next(pass, how).map(it -> Stopping.begin(pass, it));
            case UpgradePlan.AskHuman _, UpgradePlan.Wait _, UpgradePlan.StartFresh _ ->
                    mayYetTell(pass, standing)
                            ? Optional.empty()
                            : Optional.of(
                                    formerly.recoverable()
                                            ? takeUp(former, new StartFrom.LastState())
                                            : unsaved(pass, why, mark(standing.known()), ""));
        };
    }

    /**
     * The suspension by itself of a job whose state only the former spec can be resumed from.
     *
     * @param from what is on record from now on
     */
    static StepResult ofFormer(Pass pass, StartFrom from) {
        return takeUp(former(pass, pass.snapshot().takenUp().orElseThrow()), from);
    }

    private static Pass former(Pass pass, TakenUp before) {
        ReconciledSpec suspended =
                new ReconciledSpec(before.raw(), false)
                        .wishing(DesiredJobState.SUSPENDED)
                        .restoredBy(
                                pass.spec()
                                        .job()
                                        .map(JobSpec::upgradeMode)
                                        .orElse(UpgradeMode.STATELESS));
        return new Pass(
                pass.snapshot(),
                suspended,
                FlinkDeploymentSpec.parse(suspended.spec(), "spec").value(),
                pass.draft(),
                pass.notes());
    }

    private static boolean mayYetTell(Pass pass, UpgradePlan.Situation standing) {
        return switch (standing.jobManager()) {
            case MISSING, NEVER_UP -> false;
            case BROKEN -> !isBroken(pass);
            case READY, STARTING ->
                    switch (standing.job()) {
                        case GONE, CANCELED, ENDED, BEGUN_ANEW -> false;
                        case RUNNING, UNSETTLED, CANCELLING, UNKNOWN -> true;
                    };
        };
    }

    /**
     * Whether a JobManager's pod has not been able to run for so long that it is not waited for.
     */
    static boolean isBroken(Pass pass) {
        return pass.cluster().problem().isPresent()
                && pass.cluster().isBroken()
                && pass.draft().job().state().equals(Optional.of(JobState.RECONCILING))
                && pass.draft()
                        .job()
                        .updateTime()
                        .filter(since -> since.plus(PATIENCE).isBefore(pass.snapshot().now()))
                        .isPresent();
    }

    /** What is kept of a state that can't be used; of a lost one, that it is in the metadata. */
    private static StartFrom mark(KnownState known) {
        return known instanceof KnownState.Gone(var path)
                ? new StartFrom.Savepoint(path)
                : new StartFrom.LastState();
    }

    /**
     * Suspends a job that nobody can tell the state of.
     *
     * @param why it can't be told
     * @param mark what is on record from now on; nothing can be started from it
     */
    static StepResult unsaved(Pass pass, Reason why, StartFrom mark, String detail) {
        String hint = (detail + " " + KnownState.hint(pass)).strip();
        Pass telling =
                pass.telling(
                        Objection.failure(
                                why,
                                "Suspended, although the job can't be resumed without a decision."
                                        + " "
                                        + why.text()
                                        + " "
                                        + hint,
                                pass.snapshot()));
        return takeUp(telling.with(hinted(pass)), mark);
    }

    private static StepResult takeUp(Pass pass, StartFrom from) {
        return Upgrade.takeUp(Upgrade.ofNewSpec(pass), from);
    }

    /** What the attempt started from gives way to the mark, and may be the best that is left. */
    private static Draft hinted(Pass pass) {
        return pass.draft().with(pass.draft().attempt().having(KnownState.bestKnown(pass)));
    }
}
