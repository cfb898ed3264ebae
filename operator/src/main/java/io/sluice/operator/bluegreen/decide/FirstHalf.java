// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairAction.HalfPlan;
import io.sluice.operator.model.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The half that is started while there is no other one: nothing can be gone back to. */
final class FirstHalf {
    private FirstHalf() {}

    /** Of a pair that has no active half on record. */
    static PairDecision begin(PairDraft draft) {
        List<HalfColor> ran =
                Stream.of(HalfColor.values())
                        .filter(color -> draft.half(color).half().filter(Half::hasRun).isPresent())
                        .toList();
        if (!ran.isEmpty()) {
            List<HalfColor> steady =
                    ran.stream().filter(color -> draft.half(color).is(Condition.STEADY)).toList();
            Optional<HalfColor> active =
                    ran.size() == 1
                            ? Optional.of(ran.getFirst())
                            : steady.stream().filter(_ -> steady.size() == 1).findFirst();
            return active.map(color -> adopted(draft, color))
                    .orElseGet(
                            () ->
                                    draft.failing(Reason.PAIR_ACTIVE_UNKNOWN.text())
                                            .waiting(Reason.PAIR_ACTIVE_UNKNOWN, ""));
        }
        if (draft.wish().isSuspended()) {
            return draft.withStatus(
                            draft.status()
                                    .withBlueGreenState(
                                            Optional.of(BlueGreenState.INITIALIZING_BLUE)))
                    .withJob(JobState.SUSPENDED)
                    .decide(Reason.SUSPENDED, "", Optional.empty());
        }
        return started(draft, HalfColor.BLUE, StartState.TEMPLATE);
    }

    /** A half that has run is never started anew only because the status does not name it. */
    private static PairDecision adopted(PairDraft draft, HalfColor color) {
        Optional<String> spec =
                draft.half(color).half().map(half -> PairSpec.ofHalf(half.spec()).encode());
        return draft.withStatus(
                        draft.status()
                                .with()
                                .blueGreenState(Optional.of(BlueGreenState.active(color)))
                                .lastReconciledSpec(spec)
                                .activeSpec(Optional.empty())
                                .build())
                .withJob(JobState.RECONCILING)
                .soon(Reason.PAIR_WAITING, color.wire() + " has run and is the active half.");
    }

    static PairDecision started(PairDraft draft, HalfColor color, StartState startFrom) {
        PairTransition transition =
                Transitions.begun(draft, Optional.empty(), color, TransitionPhase.FIRST, startFrom)
                        .withSpec(Optional.empty());
        PairDraft begun =
                Transitions.recordingWish(draft)
                        .ready(Optional.empty())
                        .withJob(JobState.RECONCILING)
                        .with(transition);
        return decide(begun, transition);
    }

    static PairDecision decide(PairDraft draft, PairTransition transition) {
        if (!draft.wish().hasTemplateOf(draft.recorded())) {
            return started(draft, transition.to(), transition.startFrom());
        }
        HalfColor color = transition.to();
        return switch (draft.half(color)) {
            case HalfView.Absent _ -> created(draft, transition);
            case HalfView.Foreign _ -> late(draft, transition, Reason.PAIR_NAME_OCCUPIED, "");
            case HalfView.Leaving _ ->
                    draft.waiting(
                            Reason.WAITING_FOR_REMOVAL,
                            color.nameIn(draft.observed().identity().name()));
            case Half half ->
                    PairDraft.isOf(transition, half)
                            ? watched(draft, transition, half)
                            : applied(draft, transition, half);
        };
    }

    private static PairDecision created(PairDraft draft, PairTransition transition) {
        PairDraft creating = draft.creating(transition.to(), plan(draft, transition));
        return draft.observed()
                .refusal()
                .map(
                        refusal ->
                                late(
                                        creating,
                                        transition,
                                        Reason.PAIR_FIRST_FAILED,
                                        refusal.message()))
                .orElseGet(() -> creating.waiting(Reason.PAIR_FIRST, ""));
    }

    private static HalfPlan plan(PairDraft draft, PairTransition transition) {
        return transition.startFrom() == StartState.TEMPLATE
                ? HalfSpec.madeAsWritten(draft.wish(), transition.to(), transition.id())
                : HalfSpec.made(draft.wish(), transition.to(), transition.id(), Optional.empty());
    }

    /** It is there already, with the spec of a former try. */
    private static PairDecision applied(PairDraft draft, PairTransition transition, Half half) {
        HalfPlan plan =
                half.hasRun()
                        ? HalfSpec.changed(
                                draft.wish(), transition.to(), transition.id(), half.spec())
                        : plan(draft, transition);
        return draft.doing(new PairAction.ApplyHalf(transition.to(), half.uid(), plan))
                .waiting(Reason.PAIR_FIRST, "");
    }

    private static PairDecision watched(PairDraft draft, PairTransition transition, Half half) {
        return switch (half.condition()) {
            case STEADY, FINISHED -> promoted(draft, transition);
            case SUSPENDED ->
                    draft.wish().isSuspended()
                            ? promoted(draft, transition)
                            : late(draft, transition, Reason.PAIR_FIRST_FAILED, half.why());
            case BROKEN -> late(draft, transition, Reason.PAIR_FIRST_FAILED, half.why());
            case WORKING ->
                    draft.isOver(transition.deadline())
                            ? late(draft, transition, Reason.PAIR_FIRST_FAILED, half.why())
                            : draft.waiting(Reason.PAIR_FIRST, half.why());
        };
    }

    /** It may yet come up: nothing is given up, and somebody is told. */
    private static PairDecision late(
            PairDraft draft, PairTransition transition, Reason reason, String why) {
        boolean isTold = draft.status().jobState().equals(Optional.of(JobState.FAILING));
        String detail = why.isEmpty() ? reason.text() : why;
        PairDraft told =
                isTold ? draft : draft.withEvent(PairEvents.late(draft, transition.to(), detail));
        return told.failing(detail).waiting(reason, why);
    }

    private static PairDecision promoted(PairDraft draft, PairTransition transition) {
        PairDraft over =
                draft.ended(transition, TransitionOutcome.PROMOTED, transition.to())
                        .withEvent(PairEvents.promoted(draft, transition));
        return ActiveHalf.atRest(over, transition.to());
    }
}
