// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import io.sluice.operator.decide.lifecycle.ClusterLifecycle;
import io.sluice.operator.decide.lifecycle.Deletion;
import io.sluice.operator.decide.lifecycle.EndedJob;
import io.sluice.operator.decide.lifecycle.MissingConfiguration;
import io.sluice.operator.decide.lifecycle.MissingServices;
import io.sluice.operator.decide.lifecycle.SessionJobLifecycle;
import io.sluice.operator.decide.running.SnapshotRequests;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.decide.upgrade.ImagePull;
import io.sluice.operator.decide.upgrade.Redeployment;
import io.sluice.operator.decide.upgrade.Rollback;
import io.sluice.operator.decide.upgrade.SpecChange;
import io.sluice.operator.decide.upgrade.SpecChangeEvents;
import io.sluice.operator.decide.upgrade.UnseenRun;
import io.sluice.operator.decide.upgrade.Upgrade;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import java.util.Optional;

/**
 * What to do about a FlinkDeployment or a FlinkSessionJob: pure and total.
 *
 * <pre>
 *   deleted? ─▶ supported? ─▶ first deployment ─▶ changed? ─▶ under way? ─▶ at rest? ─▶ missing? ─▶ observed
 *                                  │                 │            │
 *                                  └──── intent: recon UPGRADING, job id ──▶ create ──▶ DEPLOYED ──▶ stable
 * </pre>
 *
 * A spec that can't be carried out (invalid, or a restart whose state is not to be had) does not
 * stop the others: the last reconciled spec goes on, and the reason says why.
 */
public final class Decider {
    private Decider() {}

    public static Decision decide(ObservedState observed) {
        Decision decision =
                ClusterRemoval.withNextRemovalStep(
                        observed,
                        observed.identity().deleting()
                                ? Deletion.decide(observed)
                                : decideUnlessDeleted(observed));
        return ImagePull.withoutNeedlessPods(
                observed,
                MissingConfiguration.withConfiguration(
                        observed,
                        MissingServices.withServices(
                                observed, SnapshotRequests.withCreations(observed, decision))));
    }

    private static Decision decideUnlessDeleted(ObservedState observed) {
        return SpecChangeEvents.withSpecChangedEvent(
                observed,
                SessionJobLifecycle.withoutReadyCluster(observed)
                        .orElseGet(() -> UnseenRun.decide(observed, Decider::decideBySpec)));
    }

    private static Decision decideBySpec(ObservedState observed) {
        return switch (observed.spec()) {
            case SpecView.Invalid invalid ->
                    observed.lastReconciled()
                            .map(before -> HeldChange.ofInvalidSpec(observed, before, invalid))
                            .map(Decider::carryOut)
                            .map(decision -> within(decision, invalid, observed))
                            .orElseGet(() -> HeldChange.ofInvalidFirstSpec(observed, invalid));
            case SpecView.Valid(var spec, var raw) ->
                    observed.lastReconciled()
                            .map(before -> ofChange(SpecChange.of(observed, before, spec, raw)))
                            .map(Decider::carryOut)
                            .orElseGet(() -> carryOut(FirstDeployment.decide(observed, spec, raw)));
        };
    }

    /** What keeps the spec from being carried out may pass by itself. */
    private static Decision within(
            Decision decision, SpecView.Invalid view, ObservedState observed) {
        return view.checkAgain(observed.polls().steady()).map(decision::within).orElse(decision);
    }

    /** Until it is decided: the lifecycle of the cluster goes on with what a step left. */
    private static Decision carryOut(StepResult result) {
        return switch (result) {
            case Decision decision -> decision;
            case StepResult.Continue(var context) -> carryOut(ClusterLifecycle.decide(context));
            case StepResult.Held held -> {
                Decision decision =
                        HeldChange.withReason(
                                carryOut(ClusterLifecycle.decide(held.context())), held);
                yield held.checkAgain().map(decision::after).orElse(decision);
            }
        };
    }

    private static StepResult ofChange(SpecChange change) {
        ObservedState observed = change.observed();
        if (JobFacts.isInDoubt(observed)) {
            return new StepResult.Continue(change.former());
        }
        if (change.isToBeginElsewhere()) {
            return Upgrade.startAttempt(
                    Upgrade.ofNewSpec(change.context()), FirstDeployment.initial(change.spec()));
        }
        if (change.isOfFinishedTunedJob()) {
            return new StepResult.Continue(change.former());
        }
        if (change.isOfJobThatEndedItself()) {
            return EndedJob.endedWhileBeingStopped(change.former());
        }
        if (change.isRescaleThatWaits()) {
            return ofChange(change.withoutOverrides());
        }
        if (change.restarts() && StateTriggers.holdsUpUpgrades(change.former())) {
            return HeldChange.waitWithFormerSpec(
                    observed, change.before(), Reason.WAITING_FOR_SAVEPOINT, "");
        }
        Optional<StepResult.Held> untilPulled = ImagePull.hold(change);
        if (untilPulled.isPresent()) {
            return untilPulled.get();
        }
        if (!change.restarts() && SessionJobLifecycle.hasToLeave(observed, change.before())) {
            return SpecChangeEvents.withSessionClusterReplacedEvent(
                    observed,
                    carryOut(Upgrade.decide(change, "the session cluster is being replaced")));
        }
        return switch (change.diff().effect()) {
            case NONE -> rollBackIfDue(change.former());
            case IGNORE -> rollBackIfDue(change.withoutRestart());
            case SCALE ->
                    change.restarts()
                            ? upgradeOrAccept(change)
                            : rollBackIfDue(change.withoutRestart());
            case UPGRADE -> upgradeOrAccept(change);
            case SAVEPOINT_REDEPLOY ->
                    Rollback.isTo(change) ? upgradeOrAccept(change) : Redeployment.decide(change);
        };
    }

    private static Decision rollBackIfDue(StepContext context) {
        return Rollback.withReason(context.observed(), carryOut(Rollback.decide(context)));
    }

    private static StepResult upgradeOrAccept(SpecChange change) {
        return Rollback.acceptRolledBackSpec(change)
                .orElseGet(() -> Upgrade.decide(change, change.text()));
    }
}
