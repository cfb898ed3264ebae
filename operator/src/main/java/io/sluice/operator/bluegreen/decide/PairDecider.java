// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.manifest.Room;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import java.util.Optional;

/**
 * What to do about a pair: pure and total. X is the active half, Y the other one.
 *
 * <pre>
 *   First ──▶ active ◀──────────────── in place
 *               │ edit                     ▲ X can't be saved
 *               ▼                          │
 *           Preparing ──▶ Saving ──▶ Starting ──▶ Proving ──▶ Approval
 *               └─ stateless ───────────▶ │  │ fails, or is too late  │
 *                                         │  ▼                        ▼
 *               active ◀── Resuming ◀── Aborting ◀──────────────── Retiring
 *                                                                     │ no way back
 *               active: Y ◀──────────────────────────────────────── Removing
 * </pre>
 */
public final class PairDecider {
    private PairDecider() {}

    public static PairDecision decide(PairObservedState observed) {
        return Registration.with(observed, decided(observed));
    }

    private static PairDecision decided(PairObservedState observed) {
        if (observed.identity().deleting()) {
            return PairDraft.of(observed, observed.status())
                    .decide(Reason.DELETING, "", Optional.empty());
        }
        PairDraft draft = PairDraft.of(observed, ApacheTransition.read(observed));
        return observed.objection()
                .filter(objection -> !isUntold(objection) || !draft.isReconciled())
                .map(objection -> held(draft, objection))
                .orElseGet(() -> step(draft));
    }

    /**
     * The spec of the half that is made beside the active one, if the decision, with room for it,
     * is the first step to that. Whoever observes asks for the room then, and at no other time.
     */
    public static Optional<SpecView.Valid> secondHalf(PairObservedState observed) {
        FlinkBlueGreenDeploymentStatus next = decide(observed.withRoom(Room.NOT_ASKED)).status();
        if (!isHandedOver(next) || isHandedOver(ApacheTransition.read(observed))) {
            return Optional.empty();
        }
        PairSpec recorded = PairDraft.of(observed, next).recorded();
        return Optional.of(new SpecView.Valid(recorded.half(), recorded.halfRaw()));
    }

    /**
     * Whether the analysis is to look at the halves. Whoever observes asks them then, and at no
     * other time.
     */
    public static boolean isLookDue(PairObservedState observed) {
        return !observed.identity().deleting()
                && Analysis.isLookDue(PairDraft.of(observed, ApacheTransition.read(observed)));
    }

    /** Whether a transition is in progress that has begun to take more than one half. */
    private static boolean isHandedOver(FlinkBlueGreenDeploymentStatus status) {
        return status.transition()
                .filter(it -> it.handover() == Handover.OVERLAP)
                .filter(
                        it ->
                                switch (it.phase()) {
                                    case SAVING, STARTING, PROVING, APPROVAL -> true;
                                    case FIRST,
                                            IN_PLACE,
                                            PREPARING,
                                            RETIRING,
                                            REMOVING,
                                            ABORTING,
                                            RESUMING,
                                            ENDED ->
                                            false;
                                })
                .isPresent();
    }

    /** Nobody can tell whether the spec is right; what was reconciled last goes on meanwhile. */
    private static boolean isUntold(SpecView.Invalid objection) {
        return objection.reason() == Reason.VALIDATING
                || objection.reason() == Reason.VALIDATION_FAILED;
    }

    private static PairDecision step(PairDraft draft) {
        Optional<PairTransition> inProgress =
                draft.status().transition().filter(transition -> !transition.isOver());
        if (inProgress.isEmpty()) {
            return draft.status()
                    .blueGreenState()
                    .flatMap(state -> state.half())
                    .map(half -> ActiveHalf.decide(draft, half))
                    .orElseGet(() -> FirstHalf.begin(draft));
        }
        PairTransition transition = inProgress.get();
        return switch (transition.phase()) {
            case FIRST -> FirstHalf.decide(draft, transition);
            case IN_PLACE -> InPlaceChange.decide(draft, transition);
            case PREPARING -> Preparation.decide(draft, transition);
            case SAVING -> ActiveHalfSavepoint.decide(draft, transition);
            case STARTING -> OtherHalf.starting(draft, transition);
            case PROVING -> OtherHalf.proving(draft, transition);
            case APPROVAL -> OtherHalf.waitingForApproval(draft, transition);
            case RETIRING -> Retirement.retiring(draft, transition);
            case REMOVING -> Retirement.removing(draft, transition);
            case ABORTING -> Abort.aborting(draft, transition);
            case RESUMING, ENDED -> Abort.resuming(draft, transition);
        };
    }

    /** What is in progress goes on with the spec on record; nothing new begins. */
    private static PairDecision held(PairDraft draft, SpecView.Invalid objection) {
        String detail = String.join("\n", objection.problems());
        boolean isNew = draft.status().lastReconciledSpec().isEmpty();
        if (isNew) {
            return draft.decide(
                    objection.reason(),
                    detail,
                    objection.checkAgain(draft.observed().polls().steady()));
        }
        boolean isInProgress =
                draft.status().transition().filter(transition -> !transition.isOver()).isPresent();
        PairSpec known = isInProgress ? draft.recorded() : draft.active();
        PairDecision decision = step(draft.withObserved(draft.observed().withWish(known)));
        return decision.with()
                .reason(objection.reason())
                .detail(detail)
                .checkAgain(
                        decision.checkAgain()
                                .or(() -> Optional.of(draft.observed().polls().steady())))
                .build();
    }
}
