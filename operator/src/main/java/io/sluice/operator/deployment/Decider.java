// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.DesiredJobState;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.ParallelismOverrides;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.UpgradeMode;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.rules.diff.ChangeText;
import io.sluice.rules.diff.SpecDiff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do about a FlinkDeployment: pure and total.
 *
 * <pre>
 *   deleted? ─▶ supported? ─▶ first deployment ─▶ changed? ─▶ under way? ─▶ at rest? ─▶ missing? ─▶ observed
 *                                  │                 │            │
 *                                  └──── intent: recon UPGRADING, job id ──▶ create ──▶ DEPLOYED ──▶ stable
 * </pre>
 *
 * A spec that can't be carried out (invalid, or a restart whose state is not to be had) does not
 * stop the others: the pass goes on with the spec taken up before, and the reason says why.
 */
public final class Decider {
    private Decider() {}

    public static Decision decide(Snapshot snapshot) {
        return Removal.carriedOn(
                snapshot,
                snapshot.identity().deleting() ? Deletion.decide(snapshot) : living(snapshot));
    }

    private static Decision living(Snapshot snapshot) {
        return CarriedOut.told(snapshot, Hosted.untold(snapshot).orElseGet(() -> ofSpec(snapshot)));
    }

    private static Decision ofSpec(Snapshot snapshot) {
        return switch (snapshot.spec()) {
            case SpecView.Invalid invalid -> held(snapshot, invalid);
            case SpecView.Valid(var spec, var raw) ->
                    snapshot.takenUp()
                            .map(
                                    before ->
                                            goingOn(
                                                    again(
                                                            snapshot,
                                                            before,
                                                            spec,
                                                            new ReconciledSpec(
                                                                            raw,
                                                                            isYetToBegin(
                                                                                    snapshot,
                                                                                    before))
                                                                    .withNoncesOf(before.raw()))))
                            .orElseGet(
                                    () ->
                                            goingOn(
                                                    first(
                                                            snapshot,
                                                            spec,
                                                            new ReconciledSpec(raw, true))));
        };
    }

    /** Until it is decided: the lifecycle of the cluster goes on with what a step left. */
    private static Decision goingOn(StepResult result) {
        return switch (result) {
            case Decision decision -> decision;
            case StepResult.Continue(var context) -> goingOn(Pipeline.decide(context));
            case StepResult.Held(var context, var reason, var detail, var checkAgain) -> {
                Decision decision =
                        Objection.saying(
                                goingOn(Pipeline.decide(context)),
                                reason,
                                detail,
                                context.snapshot());
                yield checkAgain.map(decision::after).orElse(decision);
            }
        };
    }

    private static Decision rollingBack(Pass pass) {
        return Rollback.reported(pass.snapshot(), goingOn(Rollback.decide(pass)));
    }

    /** A first attempt that gives way before it has come about leaves the next one the first. */
    private static boolean isYetToBegin(Snapshot snapshot, TakenUp before) {
        return !(snapshot.target() instanceof Target.SessionJob)
                && !Ownership.hadCluster(FormerSpec.of(snapshot, before));
    }

    /** What was taken up before goes on, and the reason says why the current spec does not. */
    private static Decision held(Snapshot snapshot, SpecView.Invalid view) {
        Reason reason = view.reason();
        String detail = String.join("\n", view.problems());
        Optional<Duration> checkAgain = view.checkAgain(snapshot.polls().steady());
        boolean isToBeTold = reason != Reason.VALIDATING;
        return snapshot.takenUp()
                .map(
                        before ->
                                goingOn(
                                        isToBeTold
                                                ? Objection.to(
                                                        FormerSpec.of(snapshot, before), reason, detail)
                                                : Objection.waiting(
                                                        snapshot, before, reason, detail)))
                .map(decision -> checkAgain.map(decision::within).orElse(decision))
                .orElseGet(() -> heldFromTheStart(snapshot, view));
    }

    /**
     * Nothing is known to be taken up. That a status was lost is told until a valid spec ends it.
     */
    private static Decision heldFromTheStart(Snapshot snapshot, SpecView.Invalid view) {
        Reason reason = view.reason();
        String detail = String.join("\n", view.problems());
        Pass pass =
                reason == Reason.VALIDATING
                        ? Objection.pass(snapshot)
                        : Objection.pass(snapshot, Objection.note(reason, detail, snapshot));
        return Ownership.isOfLostStatus(snapshot)
                ? Objection.stuck(pass, Reason.STATUS_LOST, detail)
                : pass.decided(reason, detail, view.checkAgain(snapshot.polls().steady()));
    }

    private static StepResult first(
            Snapshot snapshot, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        if (Ownership.isOfLostStatus(snapshot, spec)) {
            return Objection.stuck(Objection.pass(snapshot), Reason.STATUS_LOST, "");
        }
        Pass pass = new Pass(snapshot, wanted, spec, Draft.of(snapshot.status()), List.of());
        if (!pass.isDesiredRunning()) {
            return pass.decided(Reason.SUSPENDED, "", Optional.empty());
        }
        if (snapshot.target() instanceof Target.SessionJob(var host, _)) {
            return host.takesJobs()
                    ? Upgrade.takeUp(pass, initial(spec))
                    : Hosted.waiting(pass, host);
        }
        if (!snapshot.cluster().isGone()) {
            return Removal.awaited(pass, Reason.WAITING_FOR_REMOVAL, Ownership.foreign(snapshot));
        }
        return Upgrade.takeUp(pass, initial(spec));
    }

    private static StartFrom initial(FlinkDeploymentSpec spec) {
        return spec.job()
                .flatMap(JobSpec::initialSavepointPath)
                .<StartFrom>map(StartFrom.Savepoint::new)
                .orElseGet(StartFrom.Nothing::new);
    }

    private static StepResult again(
            Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        SpecDiff diff = SpecDiff.between(before.spec(), spec);
        if (JobFacts.isInDoubt(snapshot)) {
            return new StepResult.Continue(FormerSpec.of(snapshot, before));
        }
        Pass pass = new Pass(snapshot, wanted, spec, Draft.of(snapshot.status()), List.of());
        if (isToBeginElsewhere(pass, before)) {
            return Upgrade.takeUp(Upgrade.ofNewSpec(pass), initial(spec));
        }
        boolean restarts = isRestarting(pass, diff);
        if (restarts && isDoneAndTuned(pass, before, diff)) {
            return new StepResult.Continue(FormerSpec.of(snapshot, before));
        }
        boolean isSameJob = !restarts || diff.isOverridesOnly();
        if (isSameJob && !isRollingBack(pass) && Stopping.isOwnEnd(pass)) {
            Pass former = FormerSpec.of(snapshot, before);
            return Ended.seen(
                    former.with(former.draft().with(former.draft().attempt().withoutStop())),
                    JobState.FINISHED);
        }
        if (restarts && diff.isOverridesOnly() && !mayBeMoved(pass)) {
            return heldBack(snapshot, before, wanted);
        }
        if (restarts && Saving.holdsUpUpgrades(FormerSpec.of(snapshot, before))) {
            return Objection.waiting(snapshot, before, Reason.WAITING_FOR_SAVEPOINT, "");
        }
        if (!restarts && Hosted.hasToLeave(snapshot, before)) {
            return CarriedOut.leaving(
                    snapshot,
                    goingOn(
                            Upgrade.decide(
                                    snapshot,
                                    before,
                                    spec,
                                    wanted,
                                    "the session cluster is being replaced")));
        }
        return switch (diff.effect()) {
            case NONE -> rollingBack(FormerSpec.of(snapshot, before));
            case IGNORE -> ignoring(snapshot, before, spec, wanted);
            case SCALE ->
                    restarts
                            ? upgrading(snapshot, before, spec, wanted, diff)
                            : ignoring(snapshot, before, spec, wanted);
            case UPGRADE -> upgrading(snapshot, before, spec, wanted, diff);
            case SAVEPOINT_REDEPLOY ->
                    Rollback.isTo(snapshot, spec)
                            ? upgrading(snapshot, before, spec, wanted, diff)
                            : Redeployment.decide(snapshot, before, spec, wanted);
        };
    }

    /**
     * Whether the spec names another path to start a job from that has never begun: a refused first
     * attempt left nothing that could go on in its place.
     */
    private static boolean isToBeginElsewhere(Pass pass, TakenUp before) {
        Optional<String> path = pass.spec().job().flatMap(JobSpec::initialSavepointPath);
        return path.isPresent()
                && !path.equals(before.spec().job().flatMap(JobSpec::initialSavepointPath))
                && isYetToBegin(pass.snapshot(), before)
                && pass.cluster().isGone();
    }

    private static boolean isRollingBack(Pass pass) {
        return pass.draft().reconciliation().state() == ReconciliationState.ROLLING_BACK;
    }

    private static boolean isRestarting(Pass pass, SpecDiff diff) {
        return switch (diff.effect()) {
            case NONE, IGNORE -> false;
            case SCALE -> !Scaling.isInPlace(pass);
            case UPGRADE, SAVEPOINT_REDEPLOY -> true;
        };
    }

    /**
     * The autoscaler moves a job that runs, and nothing else: one that has ended, fails or is at
     * rest waits for its user, and a spec that was rolled back is not tried again.
     */
    private static boolean mayBeMoved(Pass pass) {
        boolean runs = pass.snapshot().job() instanceof JobView.Seen seen && seen.isUp();
        return pass.stopUnderWay().isPresent()
                || (runs && pass.isDesiredRunning() && !pass.draft().isRolledBack());
    }

    /**
     * A job that is done, and whose memory the autoscaler tunes or has tuned: who asks for another
     * size, it or the user, can't be told, and nobody wants it to run again by mistake.
     */
    private static boolean isDoneAndTuned(Pass pass, TakenUp before, SpecDiff diff) {
        boolean done =
                JobFacts.recordedEnd(pass).equals(Optional.of(JobState.FINISHED))
                        || (pass.snapshot().job() instanceof JobView.Seen seen
                                && seen.state() == JobState.FINISHED
                                && pass.stopUnderWay().isEmpty());
        return done
                && diff.isTuningOnly()
                && (Overrides.tuneMemory(pass.effective())
                        || Overrides.tuneMemory(FormerSpec.of(pass.snapshot(), before).effective()));
    }

    /** Everything but what the autoscaler asks for; that waits until it is its turn. */
    private static StepResult heldBack(Snapshot snapshot, TakenUp before, ReconciledSpec wanted) {
        ObjectNode raw = wanted.spec().deepCopy();
        ObjectNode configuration = raw.withObjectProperty("flinkConfiguration");
        before.spec()
                .flinkConfiguration()
                .get(ParallelismOverrides.KEY)
                .ifPresentOrElse(
                        text ->
                                FlinkConfiguration.put(
                                        configuration, ParallelismOverrides.KEY, text),
                        () -> FlinkConfiguration.remove(configuration, ParallelismOverrides.KEY));
        return again(
                snapshot,
                before,
                FlinkDeploymentSpec.parse(raw, "spec").value(),
                new ReconciledSpec(raw, wanted.firstDeployment()));
    }

    private static StepResult upgrading(
            Snapshot snapshot,
            TakenUp before,
            FlinkDeploymentSpec spec,
            ReconciledSpec wanted,
            SpecDiff diff) {
        return Rollback.accepted(snapshot, spec, wanted)
                .orElseGet(
                        () ->
                                Upgrade.decide(
                                        snapshot,
                                        before,
                                        spec,
                                        wanted,
                                        ChangeText.of(diff, before.raw(), wanted.spec())));
    }

    /**
     * A change that restarts nothing is remembered; but what an attempt is restored by stays on
     * record until it has run.
     */
    private static StepResult ignoring(
            Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        Draft draft = Draft.of(snapshot.status());
        boolean hasRun =
                draft.reconciliation().state() == ReconciliationState.DEPLOYED
                        && draft.reconciliation().isStable()
                        && isWantedRunning(spec);
        ReconciledSpec next = new ReconciledSpec(wanted.spec(), before.firstDeployment());
        UpgradeMode by =
                isStateless(before.spec()) ? UpgradeMode.SAVEPOINT : restoreMode(before.spec());
        ReconciledSpec updated = hasRun || isStateless(spec) ? next : next.restoredBy(by);
        Pass pass = new Pass(snapshot, updated, spec, draft, List.of());
        return rollingBack(FormerSpec.carriedOut(pass.with(draft.remembering(updated))));
    }


    private static UpgradeMode restoreMode(FlinkDeploymentSpec spec) {
        return spec.job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS);
    }

    private static boolean isStateless(FlinkDeploymentSpec spec) {
        return restoreMode(spec) == UpgradeMode.STATELESS;
    }

    private static boolean isWantedRunning(FlinkDeploymentSpec spec) {
        return spec.job()
                .map(JobSpec::state)
                .filter(state -> state == DesiredJobState.RUNNING)
                .isPresent();
    }
}
