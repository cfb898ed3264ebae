// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import io.sluice.rules.diff.PairDiff;
import java.util.Optional;

/** A pair at rest: one half is active, and nothing is in progress between the two. */
final class ActiveHalf {
    private static final String MISSING_HINT = "Its last known savepoint is ";

    private ActiveHalf() {}

    static PairDecision decide(PairDraft draft, HalfColor color) {
        PairSpec active = draft.active();
        if (draft.wish().hasTemplateOf(active)) {
            return atRest(draft, color);
        }
        PairDiff.Effect effect = draft.wish().effectAfter(active);
        HalfView half = draft.half(color);
        if (effect.isInPlace()) {
            return half instanceof Half
                    ? InPlaceChange.begin(draft, color)
                    : withoutHalf(draft, color, half);
        }
        if (hasFailed(draft)) {
            return stayed(draft, color);
        }
        StartState startFrom = startFrom(effect);
        return startFrom == StartState.SAVEPOINT && !(half instanceof Half)
                ? withoutHalf(draft, color, half)
                : Preparation.begin(draft, color, startFrom);
    }

    /** The active half has the spec that it is to have, or there is none that could get another. */
    static PairDecision atRest(PairDraft draft, HalfColor color) {
        HalfView view = draft.half(color);
        if (!(view instanceof Half half)) {
            return withoutHalf(draft, color, view);
        }
        PairDraft led = withIngress(draft, color);
        boolean isAsAsked =
                half.is(Condition.STEADY)
                        || (half.is(Condition.SUSPENDED) && draft.active().isSuspended());
        PairDraft alone = isAsAsked ? withoutStray(led, color.other()) : led;
        return mirrored(alone, half);
    }

    /** The Ingress leads to this half from now on, if it does not yet. */
    static PairDraft withIngress(PairDraft draft, HalfColor color) {
        return draft.observed().misled().contains(color)
                ? draft.doing(new PairAction.LeadTo(color))
                : draft;
    }

    private static PairDecision mirrored(PairDraft draft, Half half) {
        return switch (half.condition()) {
            case STEADY ->
                    draft.withJob(JobState.RUNNING)
                            .decide(Reason.JOB_RUNNING, "", Optional.empty());
            case FINISHED ->
                    draft.withJob(JobState.FINISHED)
                            .decide(Reason.JOB_FINISHED, "", Optional.empty());
            case SUSPENDED ->
                    draft.active().isSuspended()
                            ? draft.withJob(JobState.SUSPENDED)
                                    .decide(Reason.SUSPENDED, "", Optional.empty())
                            : broken(draft, "It is suspended, though spec.template is not.");
            case BROKEN -> broken(draft, half.why());
            case WORKING ->
                    draft.withJob(JobState.RECONCILING).waiting(Reason.PAIR_WAITING, half.why());
        };
    }

    private static PairDecision broken(PairDraft draft, String why) {
        return draft.failing(why.isEmpty() ? Reason.PAIR_ACTIVE_FAILED.text() : why)
                .waiting(Reason.PAIR_ACTIVE_FAILED, why);
    }

    /**
     * One that another operator has left running beside the active half, or that was created so
     * late that its transition was over.
     */
    private static PairDraft withoutStray(PairDraft draft, HalfColor color) {
        return draft.half(color)
                .half()
                .filter(Half::wantsToRun)
                .map(
                        stray ->
                                draft.doing(
                                        new PairAction.ApplyHalf(
                                                color,
                                                stray.uid(),
                                                HalfSpec.suspended(
                                                        draft.active(),
                                                        Abort.mark(stray.mark().orElse("")),
                                                        stray.spec(),
                                                        UpgradeMode.STATELESS))))
                .orElse(draft);
    }

    /** The same generation is not tried again; what the active half does is looked at. */
    private static PairDecision stayed(PairDraft draft, HalfColor color) {
        String why = draft.status().transition().flatMap(PairTransition::message).orElse("");
        PairDecision rest = atRest(draft, color);
        if (rest.reason() != Reason.JOB_RUNNING) {
            return rest;
        }
        return draft.withActions(rest.actions())
                .failing(why.isEmpty() ? Reason.PAIR_FAILED.text() : why)
                .decide(Reason.PAIR_FAILED, why, Optional.empty());
    }

    private static boolean hasFailed(PairDraft draft) {
        return draft.status()
                .transition()
                .filter(last -> last.generation() == draft.observed().identity().generation())
                .flatMap(PairTransition::outcome)
                .filter(
                        outcome ->
                                outcome == TransitionOutcome.ABORTED
                                        || outcome == TransitionOutcome.FAILED)
                .isPresent();
    }

    private static StartState startFrom(PairDiff.Effect effect) {
        return switch (effect) {
            case REDEPLOY -> StartState.TEMPLATE;
            case TRANSITION_WITHOUT_STATE -> StartState.EMPTY;
            case TRANSITION, NONE, IN_PLACE, SUSPEND, WHILE_SUSPENDED, RESUME ->
                    StartState.SAVEPOINT;
        };
    }

    private static PairDecision withoutHalf(PairDraft draft, HalfColor color, HalfView half) {
        return switch (half) {
            case HalfView.Foreign _ ->
                    draft.failing(Reason.PAIR_NAME_OCCUPIED.text())
                            .waiting(Reason.PAIR_NAME_OCCUPIED, "");
            case HalfView.Leaving _ ->
                    draft.withJob(JobState.RECONCILING)
                            .waiting(
                                    Reason.WAITING_FOR_REMOVAL,
                                    "The active half is being deleted.");
            case HalfView.Absent _, Half _ -> missing(draft, color);
        };
    }

    /** A job without state is made again; one with state is not started from nothing. */
    private static PairDecision missing(PairDraft draft, HalfColor color) {
        if (draft.active().keepsState()) {
            String known =
                    draft.status()
                            .transition()
                            .flatMap(PairTransition::savepoint)
                            .flatMap(TransitionSavepoint::path)
                            .map(path -> MISSING_HINT + path + ".")
                            .orElse("");
            return draft.failing(Reason.PAIR_ACTIVE_MISSING.text())
                    .waiting(Reason.PAIR_ACTIVE_MISSING, known);
        }
        return draft.wish().isSuspended()
                ? Transitions.recordingWish(draft)
                        .withJob(JobState.SUSPENDED)
                        .decide(Reason.SUSPENDED, "", Optional.empty())
                : FirstHalf.started(draft, color, StartState.EMPTY);
    }
}
