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
 * What to do about a FlinkDeployment or a FlinkSessionJob: pure and total.
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
                snapshot.identity().deleting()
                        ? Deletion.decide(snapshot)
                        : CarriedOut.told(
                                snapshot,
                                Hosted.untold(snapshot).orElseGet(() -> ofSpec(snapshot))));
    }

    private static Decision ofSpec(Snapshot snapshot) {
        return switch (snapshot.spec()) {
            case SpecView.Invalid invalid -> Objection.ofInvalid(snapshot, invalid, Decider::goingOn);
            case SpecView.Valid(var spec, var raw) ->
                    snapshot.takenUp()
                            .map(before -> again(SpecChange.of(snapshot, before, spec, raw)))
                            .map(Decider::goingOn)
                            .orElseGet(() -> goingOn(FirstDeployment.decide(snapshot, spec, raw)));
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

    private static StepResult again(SpecChange change) {
        Snapshot snapshot = change.snapshot();
        if (JobFacts.isInDoubt(snapshot)) {
            return new StepResult.Continue(change.former());
        }
        if (change.isToBeginElsewhere()) {
            return Upgrade.takeUp(
                    Upgrade.ofNewSpec(change.pass()), FirstDeployment.initial(change.spec()));
        }
        if (change.isOfFinishedTunedJob()) {
            return new StepResult.Continue(change.former());
        }
        if (change.isOfJobThatEndedItself()) {
            return Ended.ofStopped(change.former());
        }
        if (change.isRescaleThatWaits()) {
            return again(change.withoutOverrides());
        }
        if (change.restarts() && Saving.holdsUpUpgrades(change.former())) {
            return Objection.waiting(
                    snapshot, change.before(), Reason.WAITING_FOR_SAVEPOINT, "");
        }
        if (!change.restarts() && Hosted.hasToLeave(snapshot, change.before())) {
            return CarriedOut.leaving(
                    snapshot,
                    goingOn(upgraded(change, "the session cluster is being replaced")));
        }
        return switch (change.diff().effect()) {
            case NONE -> rollingBack(change.former());
            case IGNORE -> rollingBack(change.recorded());
            case SCALE -> change.restarts() ? upgrading(change) : rollingBack(change.recorded());
            case UPGRADE -> upgrading(change);
            case SAVEPOINT_REDEPLOY ->
                    Rollback.isTo(snapshot, change.spec())
                            ? upgrading(change)
                            : Redeployment.decide(
                                    snapshot, change.before(), change.spec(), change.wanted());
        };
    }

    private static Decision rollingBack(Pass pass) {
        return Rollback.reported(pass.snapshot(), goingOn(Rollback.decide(pass)));
    }

    private static StepResult upgrading(SpecChange change) {
        return Rollback.accepted(change.snapshot(), change.spec(), change.wanted())
                .orElseGet(() -> upgraded(change, change.text()));
    }

    private static StepResult upgraded(SpecChange change, String what) {
        return Upgrade.decide(
                change.snapshot(), change.before(), change.spec(), change.wanted(), what);
    }
}
