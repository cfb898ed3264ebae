// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import java.util.Optional;

/**
 * The other half is stopped, and the active one goes on. An aborted half is suspended without its
 * state, which nothing goes on from, so that it can be looked at. One whose spec was changed again
 * is deleted.
 */
final class Abort {
    private Abort() {}

    static PairDecision begin(
            PairDraft draft, PairTransition transition, TransitionOutcome outcome, String why) {
        PairTransition aborted =
                transition
                        .with()
                        .outcome(Optional.of(outcome))
                        .message(Optional.of(why).filter(it -> !it.isEmpty()))
                        .build();
        PairDraft aborting =
                draft.in(aborted, TransitionPhase.ABORTING, draft.options().grace())
                        .ready(Optional.empty())
                        .withEvent(PairEvents.aborted(draft, transition, outcome, why));
        return aborting(aborting, aborting.status().transition().orElse(aborted));
    }

    /** Whether the active half runs, or was only stopped for the transition. */
    static boolean hasActiveHalf(PairDraft draft, PairTransition transition) {
        return draft.half(active(transition))
                .half()
                .filter(
                        half ->
                                half.runs()
                                        || (transition.handover() == Handover.STOP_FIRST
                                                && half.isMarked(
                                                        ActiveHalfSavepoint.stopMark(transition))))
                .isPresent();
    }

    static PairDecision aborting(PairDraft draft, PairTransition transition) {
        PairDraft led = ActiveHalf.withIngress(draft, active(transition));
        boolean isStopped = transition.handover() == Handover.STOP_FIRST;
        return switch (draft.half(transition.to())) {
            case HalfView.Absent _, HalfView.Foreign _ -> stopped(led, transition);
            case HalfView.Leaving _ ->
                    isStopped
                            ? Transitions.awaitRemoval(led, transition, transition.to())
                            : stopped(led, transition);
            case Half half -> stopping(led, transition, half);
        };
    }

    private static PairDecision stopping(PairDraft draft, PairTransition transition, Half half) {
        boolean isSuperseded =
                transition.outcome().equals(Optional.of(TransitionOutcome.SUPERSEDED));
        if (isSuperseded || draft.isOver(transition.deadline())) {
            return draft.doing(new PairAction.DeleteHalf(transition.to(), half.uid()))
                    .waiting(
                            draft.isOver(transition.deadline())
                                    ? Reason.REMOVAL_OVERDUE
                                    : Reason.PAIR_ABORTING,
                            "The other half is being deleted.");
        }
        String mark = mark(transition.id());
        if (!half.isMarked(mark)) {
            return draft.doing(
                            new PairAction.ApplyHalf(
                                    transition.to(),
                                    half.uid(),
                                    HalfSpec.suspended(
                                            draft.recorded(),
                                            mark,
                                            half.spec(),
                                            UpgradeMode.STATELESS)))
                    .waiting(Reason.PAIR_ABORTING, "");
        }
        return half.is(Condition.SUSPENDED)
                ? stopped(draft, transition)
                : draft.waiting(Reason.PAIR_ABORTING, half.why());
    }

    /** What an aborted half is annotated with. */
    static String mark(String id) {
        return id + "-aborted";
    }

    /** Nothing of the other half runs any more, or will for long. */
    private static PairDecision stopped(PairDraft draft, PairTransition transition) {
        boolean isToBeResumed =
                draft.half(active(transition))
                        .half()
                        .filter(half -> half.isMarked(ActiveHalfSavepoint.stopMark(transition)))
                        .isPresent();
        return isToBeResumed
                ? resume(
                        draft,
                        transition,
                        transition.outcome().orElse(TransitionOutcome.ABORTED),
                        transition.message().orElse(""))
                : over(draft, transition);
    }

    /** Starts the active half again, from the state that it was stopped with. */
    static PairDecision resume(
            PairDraft draft, PairTransition transition, TransitionOutcome outcome, String why) {
        PairTransition next =
                transition
                        .with()
                        .outcome(Optional.of(outcome))
                        .message(Optional.of(why).filter(it -> !it.isEmpty()))
                        .build();
        PairDraft resuming = draft.in(next, TransitionPhase.RESUMING, draft.options().grace());
        return resuming(resuming, resuming.status().transition().orElse(next));
    }

    static PairDecision resuming(PairDraft draft, PairTransition transition) {
        String mark = transition.id() + "-resumed";
        return draft.half(active(transition))
                .half()
                .filter(half -> !half.isMarked(mark))
                .map(
                        half ->
                                draft.doing(
                                                new PairAction.ApplyHalf(
                                                        active(transition),
                                                        half.uid(),
                                                        HalfSpec.changed(
                                                                draft.active(),
                                                                active(transition),
                                                                mark,
                                                                half.spec())))
                                        .waiting(
                                                Reason.PAIR_ABORTING,
                                                "The active half is being resumed."))
                .orElseGet(() -> over(draft, transition));
    }

    private static PairDecision over(PairDraft draft, PairTransition transition) {
        TransitionOutcome outcome = transition.outcome().orElse(TransitionOutcome.ABORTED);
        HalfColor active = active(transition);
        if (outcome == TransitionOutcome.SUPERSEDED) {
            return Transitions.recordingActive(draft.ended(transition, outcome, active))
                    .withJob(JobState.RECONCILING)
                    .soon(Reason.PAIR_WAITING, "The spec was changed again.");
        }
        String why = transition.message().orElseGet(Reason.PAIR_FAILED::text);
        return Transitions.recordingSpec(draft)
                .ended(transition, outcome, active)
                .failing(why)
                .soon(Reason.PAIR_FAILED, why);
    }

    private static HalfColor active(PairTransition transition) {
        return transition.from().orElse(transition.to().other());
    }
}
