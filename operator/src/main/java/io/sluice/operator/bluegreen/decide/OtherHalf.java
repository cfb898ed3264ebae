// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.api.status.bluegreen.TransitionSavepointBuilder;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairAction.HalfPlan;
import io.sluice.operator.model.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The half with the new spec, until it is promoted. The active half is not touched meanwhile. */
final class OtherHalf {
    private OtherHalf() {}

    /**
     * Records where it starts from and then makes it.
     *
     * @param path of the savepoint; empty if it starts from none of the active half
     */
    static PairDecision begin(PairDraft draft, PairTransition transition, Optional<String> path) {
        Optional<TransitionSavepoint> savepoint =
                path.map(
                        it ->
                                transition
                                        .savepoint()
                                        .orElseGet(() -> stopped(draft))
                                        .withPath(Optional.of(it)));
        PairDraft recorded = Transitions.recordingSpec(draft);
        PairDraft starting =
                recorded.withStatus(recorded.status().withSavepointTriggerId(Optional.empty()))
                        .ready(Optional.empty())
                        .withJob(JobState.RECONCILING)
                        .in(
                                transition
                                        .with()
                                        .savepoint(savepoint)
                                        .spec(Optional.empty())
                                        .build(),
                                TransitionPhase.STARTING,
                                draft.options().grace());
        return starting(starting, starting.status().transition().orElse(transition));
    }

    private static TransitionSavepoint stopped(PairDraft draft) {
        return TransitionSavepointBuilder.builder().at(draft.now()).tries(1).build();
    }

    static PairDecision starting(PairDraft draft, PairTransition transition) {
        if (draft.isEdited()) {
            return Abort.begin(draft, transition, TransitionOutcome.SUPERSEDED, "");
        }
        return switch (draft.half(transition.to())) {
            case HalfView.Absent _ -> created(draft, transition);
            case HalfView.Foreign _ ->
                    draft.isOver(transition.deadline())
                            ? fails(draft, transition, Reason.PAIR_NAME_OCCUPIED.text())
                            : draft.waiting(Reason.PAIR_NAME_OCCUPIED, "");
            case HalfView.Leaving _ ->
                    draft.isOver(transition.deadline())
                            ? fails(draft, transition, "It was deleted.")
                            : draft.waiting(Reason.WAITING_FOR_REMOVAL, "");
            case Half half ->
                    PairDraft.isOf(transition, half)
                            ? watched(draft, transition, half)
                            : fails(draft, transition, "It was not made by this transition.");
        };
    }

    private static PairDecision created(PairDraft draft, PairTransition transition) {
        if (draft.observed().refusal().isPresent()) {
            return fails(draft, transition, draft.observed().refusal().get().message());
        }
        if (draft.isOver(transition.deadline())) {
            return fails(draft, transition, "It could not be created in time.");
        }
        return plan(draft, transition)
                .map(
                        plan ->
                                draft.doing(new PairAction.CreateHalf(transition.to(), plan))
                                        .waiting(Reason.PAIR_STARTING, ""))
                .orElseGet(
                        () ->
                                fails(
                                        draft,
                                        transition,
                                        "The savepoint that it has to start from is not on"
                                                + " record."));
    }

    /** Empty if it would start from nothing although it has state. */
    private static Optional<HalfPlan> plan(PairDraft draft, PairTransition transition) {
        PairSpec spec = draft.recorded();
        HalfColor color = transition.to();
        Optional<String> path = transition.savepoint().flatMap(TransitionSavepoint::path);
        return switch (transition.startFrom()) {
            case TEMPLATE -> Optional.of(HalfSpec.madeAsWritten(spec, color, transition.id()));
            case EMPTY ->
                    Optional.of(HalfSpec.made(spec, color, transition.id(), Optional.empty()));
            case SAVEPOINT -> path.map(_ -> HalfSpec.made(spec, color, transition.id(), path));
        };
    }

    private static PairDecision watched(PairDraft draft, PairTransition transition, Half half) {
        return switch (half.condition()) {
            case STEADY -> ready(draft, transition);
            case BROKEN -> fails(draft, transition, half.why());
            case FINISHED -> fails(draft, transition, "Its job has finished.");
            case SUSPENDED -> fails(draft, transition, "It is suspended.");
            case WORKING ->
                    isLate(draft, transition)
                            ? fails(draft, transition, "It does not run in time. " + half.why())
                            : draft.waiting(Reason.PAIR_STARTING, half.why());
        };
    }

    /** Asking for an approval does not make the time endless that it has to run in. */
    private static boolean isLate(PairDraft draft, PairTransition transition) {
        return draft.isOver(transition.deadline())
                || draft.isOver(
                        transition.approvalSince().map(it -> it.plus(draft.options().approval())));
    }

    private static PairDecision ready(PairDraft draft, PairTransition transition) {
        PairDraft ready =
                draft.ready(Optional.of(draft.now()))
                        .withEvent(PairEvents.ready(draft, transition))
                        .with(
                                transition
                                        .with()
                                        .phase(TransitionPhase.PROVING)
                                        .since(draft.now())
                                        .build());
        return proving(ready, ready.status().transition().orElse(transition));
    }

    static PairDecision proving(PairDraft draft, PairTransition transition) {
        if (draft.isEdited()) {
            return Abort.begin(draft, transition, TransitionOutcome.SUPERSEDED, "");
        }
        return ifSteady(draft, transition).orElseGet(() -> analyzed(draft, transition));
    }

    private static PairDecision analyzed(PairDraft before, PairTransition transition) {
        PairTransition looked = Analysis.looked(before, transition);
        PairDraft draft = before.with(looked);
        return switch (Analysis.of(draft, looked)) {
            case Analysis.Passed _ -> proven(draft, looked);
            case Analysis.InProgress(var next, var detail) ->
                    draft.waiting(Reason.PAIR_PROVING, detail, List.of(Optional.of(next)));
            case Analysis.Failed(var why) -> fails(draft, looked, why);
            case Analysis.Unknown(var why) -> inconclusive(draft, looked, why);
        };
    }

    private static PairDecision inconclusive(
            PairDraft draft, PairTransition transition, String why) {
        return draft.options().promotesUnknown()
                ? proven(
                        draft.withEvent(PairEvents.inconclusive(draft, transition, why)),
                        transition)
                : fails(draft, transition, why);
    }

    /** Without a break: a half that is not steady for a moment begins to prove itself anew. */
    private static Optional<PairDecision> ifSteady(PairDraft draft, PairTransition transition) {
        boolean isSteady =
                draft.half(transition.to())
                        .half()
                        .filter(half -> half.is(Condition.STEADY))
                        .filter(half -> PairDraft.isOf(transition, half))
                        .isPresent();
        if (isSteady) {
            return Optional.empty();
        }
        PairTransition again =
                transition
                        .with()
                        .phase(TransitionPhase.STARTING)
                        .checkedAt(Optional.empty())
                        .checks(List.of())
                        .build();
        return Optional.of(starting(draft.ready(Optional.empty()).with(again), again));
    }

    private static PairDecision proven(PairDraft draft, PairTransition transition) {
        if (!draft.options().isApproved()) {
            return Retirement.begin(draft, transition);
        }
        Instant since = transition.approvalSince().orElse(draft.now());
        PairTransition waiting =
                transition
                        .with()
                        .phase(TransitionPhase.APPROVAL)
                        .since(draft.now())
                        .approvalSince(Optional.of(since))
                        .build();
        PairDraft asked =
                transition.approvalSince().isPresent()
                        ? draft
                        : draft.withEvent(PairEvents.approval(draft, transition));
        return waitingForApproval(asked.with(waiting), waiting);
    }

    static PairDecision waitingForApproval(PairDraft draft, PairTransition transition) {
        if (draft.isEdited()) {
            return Abort.begin(draft, transition, TransitionOutcome.SUPERSEDED, "");
        }
        PairTransition renewed =
                transition.withDeadline(Optional.of(draft.now().plus(draft.options().grace())));
        Optional<PairDecision> unsteady = ifSteady(draft, renewed);
        if (unsteady.isPresent()) {
            return unsteady.get();
        }
        long generation = draft.observed().identity().generation();
        boolean isApproved =
                draft.observed()
                        .promoted()
                        .filter(it -> it == transition.generation() || it == generation)
                        .isPresent();
        if (isApproved) {
            return Retirement.begin(draft, transition);
        }
        Optional<Instant> until =
                transition.approvalSince().map(it -> it.plus(draft.options().approval()));
        return draft.isOver(until)
                ? fails(draft, transition, "Nobody has approved of it in time.")
                : notApproved(draft, transition, until);
    }

    /** The checks go on meanwhile. */
    private static PairDecision notApproved(
            PairDraft before, PairTransition transition, Optional<Instant> until) {
        PairTransition looked = Analysis.looked(before, transition);
        PairDraft draft = before.with(looked);
        String detail =
                "sluice.io/promote: \""
                        + transition.generation()
                        + "\", until "
                        + until.map(Instant::toString).orElse("")
                        + ".";
        return switch (Analysis.whileWaiting(draft, looked)) {
            case Analysis.Failed(var why) -> fails(draft, looked, why);
            case Analysis.InProgress(var next, _) ->
                    draft.waiting(Reason.PAIR_APPROVAL, detail, List.of(until, Optional.of(next)));
            case Analysis.Passed _, Analysis.Unknown _ ->
                    draft.waiting(Reason.PAIR_APPROVAL, detail, List.of(until));
        };
    }

    /** Goes back to the active half if there is one to go back to, else goes on. */
    private static PairDecision fails(PairDraft draft, PairTransition transition, String why) {
        if (Abort.hasActiveHalf(draft, transition)) {
            return Abort.begin(draft, transition, TransitionOutcome.ABORTED, why);
        }
        Optional<HalfPlan> missing =
                draft.half(transition.to()) instanceof HalfView.Absent
                        ? plan(draft, transition)
                        : Optional.empty();
        return missing.map(plan -> draft.creating(transition.to(), plan))
                .orElse(draft)
                .failing(why)
                .waiting(Reason.PAIR_NEITHER, why);
    }
}
