// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The other half is promoted. The former one stays for its delay, so that there is a way back, and
 * is then removed, which is on record before it begins.
 */
final class Retirement {
    private Retirement() {}

    static PairDecision begin(PairDraft draft, PairTransition transition) {
        PairTransition promoted =
                transition
                        .with()
                        .promotedAt(Optional.of(draft.now()))
                        .approvalSince(Optional.empty())
                        .build();
        PairDraft retiring =
                draft.in(
                                promoted,
                                TransitionPhase.RETIRING,
                                draft.options().delay().plus(draft.options().grace()))
                        .withEvent(PairEvents.promoted(draft, transition));
        return led(retiring, transition.to()).soon(Reason.PAIR_PROMOTING, "");
    }

    static PairDecision retiring(PairDraft draft, PairTransition transition) {
        HalfView other = draft.half(transition.to());
        if (other.is(Condition.STEADY)) {
            return draft.status().deploymentReadyTimestamp().isPresent()
                    ? steady(draft, transition)
                    : steady(draft.ready(Optional.of(draft.now())), transition);
        }
        boolean isGoing = other.is(Condition.WORKING);
        boolean isOverlapping = transition.handover() == Handover.OVERLAP;
        boolean goesBack = !isGoing || isOverlapping || draft.isOver(transition.deadline());
        String why =
                "It was promoted and does not run any more. "
                        + other.half().map(Half::why).orElse("");
        if (goesBack && Abort.hasActiveHalf(draft, transition)) {
            return Abort.begin(draft, transition, TransitionOutcome.ABORTED, why.strip());
        }
        PairDraft unready = draft.ready(Optional.empty());
        boolean isStuck = !isGoing || draft.isOver(transition.deadline());
        if (isStuck && draft.isEdited()) {
            return over(unready, transition);
        }
        return !isStuck
                ? unready.waiting(Reason.PAIR_RETIRING, "The promoted half does not run.")
                : unready.failing(why.strip()).waiting(Reason.PAIR_NEITHER, why.strip());
    }

    private static PairDecision steady(PairDraft draft, PairTransition transition) {
        PairDraft led = led(draft, transition.to()).withJob(JobState.RECONCILING);
        if (!led.actions().isEmpty() && !draft.isOver(transition.deadline())) {
            return led.waiting(Reason.PAIR_PROMOTING, "");
        }
        Instant until =
                draft.status()
                        .deploymentReadyTimestamp()
                        .filter(transition.since()::isBefore)
                        .orElse(transition.since())
                        .plus(draft.options().delay());
        if (draft.now().isBefore(until)) {
            return led.waiting(
                    Reason.PAIR_RETIRING, "Until " + until + ".", List.of(Optional.of(until)));
        }
        return draft.half(former(transition)) instanceof Half half
                ? removed(led, transition, half)
                : over(led, transition);
    }

    private static PairDecision removed(PairDraft draft, PairTransition transition, Half half) {
        PairTransition removing = transition.withFormerUid(Optional.of(half.uid()));
        return draft.in(removing, TransitionPhase.REMOVING, draft.options().grace())
                .doing(new PairAction.DeleteHalf(former(transition), half.uid()))
                .soon(Reason.PAIR_RETIRING, "It is being deleted.");
    }

    /** Whatever the promoted half does meanwhile: there is no way back. */
    static PairDecision removing(PairDraft draft, PairTransition transition) {
        PairDraft led = led(draft, transition.to());
        return draft.half(former(transition)) instanceof Half half
                        && transition.formerUid().equals(Optional.of(half.uid()))
                ? led.doing(new PairAction.DeleteHalf(former(transition), half.uid()))
                        .waiting(Reason.PAIR_RETIRING, "It is being deleted.")
                : over(led, transition);
    }

    private static PairDecision over(PairDraft draft, PairTransition transition) {
        PairDraft over =
                draft.ended(transition, TransitionOutcome.PROMOTED, transition.to())
                        .withEvent(PairEvents.removed(draft, transition));
        PairDraft active =
                over.withStatus(over.status().withActiveSpec(Optional.empty()))
                        .withJob(JobState.RUNNING);
        PairDecision rest = ActiveHalf.atRest(active.withActions(List.of()), transition.to());
        return rest.with().actions(draft.actions()).checkAgain(Optional.of(PairDraft.SOON)).build();
    }

    private static PairDraft led(PairDraft draft, HalfColor color) {
        return ActiveHalf.withIngress(draft, color);
    }

    private static HalfColor former(PairTransition transition) {
        return transition.from().orElse(transition.to().other());
    }
}
