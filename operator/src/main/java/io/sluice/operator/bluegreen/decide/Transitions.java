// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.PairTransitionBuilder;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.model.Reason;
import java.util.List;
import java.util.Optional;

/** How transitions begin, and what is recorded of them. */
final class Transitions {
    private Transitions() {}

    /** A transition to the wish, which it has on record. */
    static PairTransition begun(
            PairDraft draft,
            Optional<HalfColor> from,
            HalfColor to,
            TransitionPhase phase,
            StartState startFrom) {
        PairObservedState.Identity identity = draft.observed().identity();
        String former = draft.status().transition().map(PairTransition::id).orElse("");
        return PairTransitionBuilder.builder()
                .id(AttemptIds.transition(identity.uid(), identity.generation(), former))
                .from(from)
                .to(to)
                .generation(identity.generation())
                .handover(draft.options().handover())
                .startFrom(startFrom)
                .phase(phase)
                .began(draft.now())
                .since(draft.now())
                .deadline(Optional.of(draft.now().plus(draft.options().grace())))
                .spec(Optional.of(draft.wish().encode()))
                .checks(List.of())
                .build();
    }

    /** The active half has the wish, or is about to. */
    static PairDraft recordingWish(PairDraft draft) {
        return draft.withStatus(
                draft.status()
                        .with()
                        .lastReconciledSpec(Optional.of(draft.wish().encode()))
                        .activeSpec(Optional.empty())
                        .build());
    }

    /** The spec of the transition is acted on or given up, and the active half keeps its own. */
    static PairDraft recordingSpec(PairDraft draft) {
        return draft.withStatus(
                draft.status()
                        .with()
                        .activeSpec(Optional.of(draft.active().encode()))
                        .lastReconciledSpec(Optional.of(draft.recorded().encode()))
                        .build());
    }

    /** The spec of the transition is neither: only what the active half has is on record. */
    static PairDraft recordingActive(PairDraft draft) {
        return draft.withStatus(
                draft.status()
                        .with()
                        .lastReconciledSpec(Optional.of(draft.active().encode()))
                        .activeSpec(Optional.empty())
                        .build());
    }

    /**
     * Waits until a half is gone.
     *
     * @param color of the half
     */
    static PairDecision awaitRemoval(PairDraft draft, PairTransition transition, HalfColor color) {
        return draft.waiting(
                draft.isOver(transition.deadline())
                        ? Reason.REMOVAL_OVERDUE
                        : Reason.WAITING_FOR_REMOVAL,
                "Waits for FlinkDeployment '"
                        + color.nameIn(draft.observed().identity().name())
                        + "'.");
    }
}
