// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Before a transition: what is left of a former one goes, so that the other half never goes on from
 * its own old state, and the active half has to be able to make a savepoint.
 */
final class Preparation {
    private Preparation() {}

    static PairDecision begin(PairDraft draft, HalfColor active, StartState startFrom) {
        PairTransition transition =
                Transitions.begun(
                        draft,
                        Optional.of(active),
                        active.other(),
                        TransitionPhase.PREPARING,
                        startFrom);
        PairDraft begun =
                draft.withJob(JobState.RECONCILING)
                        .with(transition)
                        .withEvent(PairEvents.started(draft, transition));
        return decide(begun, transition);
    }

    static PairDecision decide(PairDraft draft, PairTransition transition) {
        HalfColor active = transition.from().orElse(transition.to().other());
        if (draft.isEdited()) {
            return withdrawn(draft, transition);
        }
        HalfView half = draft.half(active);
        if (transition.startFrom() != StartState.SAVEPOINT) {
            boolean isStuck =
                    transition.handover() == Handover.STOP_FIRST
                            && (half.is(Condition.BROKEN) || half.is(Condition.FINISHED));
            return isStuck ? inPlace(draft, transition, half) : clearing(draft, transition, half);
        }
        if (!(half instanceof Half there)) {
            return failed(draft, transition, "The active half is gone.");
        }
        return switch (there.condition()) {
            case STEADY -> clearing(draft, transition, half);
            case BROKEN, FINISHED, SUSPENDED -> inPlace(draft, transition, half);
            case WORKING ->
                    draft.isOver(transition.deadline())
                            ? inPlace(draft, transition, half)
                            : draft.waiting(Reason.PAIR_WAITING, there.why());
        };
    }

    private static PairDecision clearing(
            PairDraft draft, PairTransition transition, HalfView active) {
        HalfColor color = transition.to();
        return switch (draft.half(color)) {
            case HalfView.Foreign _ -> draft.waiting(Reason.PAIR_NAME_OCCUPIED, "");
            case HalfView.Leaving _ -> Transitions.awaitRemoval(draft, transition, color);
            case Half half ->
                    Transitions.awaitRemoval(
                            draft.doing(new PairAction.DeleteHalf(color, half.uid())),
                            transition,
                            color);
            case HalfView.Absent _ -> cleared(draft, transition, active);
        };
    }

    /** Nothing was begun yet, so that nothing is to be undone. */
    static PairDecision withdrawn(PairDraft draft, PairTransition transition) {
        HalfColor active = transition.from().orElse(transition.to().other());
        return draft.ended(transition, TransitionOutcome.SUPERSEDED, active)
                .withJob(JobState.RECONCILING)
                .soon(Reason.PAIR_WAITING, "The spec was changed again.");
    }

    private static PairDecision cleared(
            PairDraft draft, PairTransition transition, HalfView active) {
        Optional<String> lack =
                transition.handover() == Handover.OVERLAP
                        ? draft.observed().room().lack()
                        : Optional.empty();
        if (lack.isPresent()) {
            return withoutRoom(draft, transition, lack.get());
        }
        boolean isStopped =
                transition.handover() == Handover.STOP_FIRST
                        && active.half().filter(Half::wantsToRun).isPresent();
        return isStopped || transition.startFrom() == StartState.SAVEPOINT
                ? ActiveHalfSavepoint.begin(draft, transition)
                : OtherHalf.begin(draft, transition, Optional.empty());
    }

    /**
     * Nothing begins, and the active half goes on. It is looked again: nobody tells the operator
     * that there is room.
     */
    private static PairDecision withoutRoom(
            PairDraft draft, PairTransition transition, String lack) {
        HalfColor active = transition.from().orElse(transition.to().other());
        PairDraft before = PairDraft.of(draft.observed(), ApacheTransition.read(draft.observed()));
        boolean isOnRecord =
                before.status()
                        .transition()
                        .filter(it -> it.id().equals(transition.id()))
                        .isPresent();
        PairDraft rest =
                isOnRecord
                        ? before.ended(transition, TransitionOutcome.SUPERSEDED, active)
                        : before;
        PairDraft told =
                rest.isTold(Reason.PAIR_NO_ROOM)
                        ? rest
                        : rest.withEvent(PairEvents.noRoom(draft, lack));
        PairDraft mirrored =
                told.half(active) instanceof Half
                        ? told.as(ActiveHalf.atRest(told, active))
                        : told.withJob(JobState.RECONCILING);
        return mirrored.waiting(Reason.PAIR_NO_ROOM, lack, List.of());
    }

    /**
     * What can't be saved can't be handed over. The half gets the new spec in place, by the rules
     * of a FlinkDeployment, which never starts from nothing what has state.
     */
    private static PairDecision inPlace(PairDraft draft, PairTransition transition, HalfView half) {
        String why = half.half().map(Half::why).orElse("");
        HalfColor active = transition.from().orElse(transition.to().other());
        return InPlaceChange.begin(
                draft.withEvent(PairEvents.inPlace(draft, transition, why)), active);
    }

    /** The other half was never started. */
    static PairDecision failed(PairDraft draft, PairTransition transition, String why) {
        HalfColor active = transition.from().orElse(transition.to().other());
        return Transitions.recordingSpec(draft)
                .ended(transition.withMessage(Optional.of(why)), TransitionOutcome.FAILED, active)
                .failing(why)
                .withEvent(PairEvents.failed(draft, transition, why))
                .soon(Reason.PAIR_FAILED, why);
    }
}
