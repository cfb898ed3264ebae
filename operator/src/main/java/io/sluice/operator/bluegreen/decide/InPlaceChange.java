// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import java.util.Optional;

/**
 * The active half gets another spec and stays the active one. There is nothing to go back to, so
 * that this is never aborted: how long it takes is up to the half.
 */
final class InPlaceChange {
    private InPlaceChange() {}

    static PairDecision begin(PairDraft draft, HalfColor color) {
        PairTransition transition =
                Transitions.begun(
                                draft,
                                Optional.of(color),
                                color,
                                TransitionPhase.IN_PLACE,
                                StartState.SAVEPOINT)
                        .withSpec(Optional.empty());
        PairDraft wished = Transitions.recordingWish(draft);
        PairDraft begun =
                wished.withStatus(wished.status().withSavepointTriggerId(Optional.empty()))
                        .ready(Optional.empty())
                        .withJob(JobState.RECONCILING)
                        .with(transition);
        return decide(begun, transition);
    }

    static PairDecision decide(PairDraft draft, PairTransition transition) {
        HalfColor color = transition.to();
        if (!(draft.half(color) instanceof Half half)) {
            return over(draft, transition);
        }
        if (!PairDraft.isOf(transition, half)) {
            return draft.doing(
                            new PairAction.ApplyHalf(
                                    color,
                                    half.uid(),
                                    HalfSpec.changed(
                                            draft.recorded(), color, transition.id(), half.spec())))
                    .waiting(Reason.PAIR_WAITING, "It gets the new spec.");
        }
        if (!draft.wish().hasTemplateOf(draft.recorded())) {
            return draft.ended(transition, TransitionOutcome.SUPERSEDED, color)
                    .withJob(JobState.RECONCILING)
                    .soon(Reason.PAIR_WAITING, "The spec was changed again.");
        }
        if (!half.is(Condition.WORKING)) {
            return over(draft, transition);
        }
        return draft.isOver(transition.deadline())
                ? draft.failing(half.why()).waiting(Reason.PAIR_ACTIVE_FAILED, half.why())
                : draft.waiting(Reason.PAIR_WAITING, half.why());
    }

    private static PairDecision over(PairDraft draft, PairTransition transition) {
        return ActiveHalf.atRest(
                draft.ended(transition, TransitionOutcome.PROMOTED, transition.to()),
                transition.to());
    }
}
