// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.api.status.bluegreen.TransitionSavepointBuilder;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairAction.HalfPlan;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state that the other half starts from: the active half makes a savepoint and runs on, or is
 * stopped with one. Silence is never a failure: nobody knows then whether the savepoint is made.
 */
final class ActiveHalfSavepoint {
    private static final int MOST_TRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);

    private ActiveHalfSavepoint() {}

    static PairDecision begin(PairDraft draft, PairTransition transition) {
        PairDraft saving = draft.in(transition, TransitionPhase.SAVING, draft.options().grace());
        PairTransition begun = saving.status().transition().orElse(transition);
        return transition.handover() == Handover.STOP_FIRST
                ? stopping(saving, begun)
                : asked(saving, begun, 1);
    }

    static PairDecision decide(PairDraft draft, PairTransition transition) {
        if (transition.handover() == Handover.STOP_FIRST) {
            return draft.isEdited()
                    ? Abort.resume(draft, transition, TransitionOutcome.SUPERSEDED, "")
                    : stopping(draft, transition);
        }
        if (draft.isEdited()) {
            return withdrawn(draft, transition);
        }
        if (!(draft.half(active(transition)) instanceof Half half)) {
            return Preparation.failed(draft, transition, "The active half is gone.");
        }
        Optional<TransitionSavepoint> savepoint = transition.savepoint();
        if (savepoint.isEmpty()) {
            return asked(draft, transition, 1);
        }
        if (savepoint.get().nextTry().isPresent()) {
            return pausing(draft, transition, savepoint.get());
        }
        boolean isAnother =
                half.jobId().isPresent() && !half.jobId().equals(savepoint.get().jobId());
        return isAnother
                ? tried(draft, transition, savepoint.get(), "Another job runs in its place.")
                : answered(draft, transition, savepoint.get());
    }

    /**
     * The spec was changed again. A savepoint that is being made is waited for, as in an upgrade of
     * a FlinkDeployment: nobody would learn where it is.
     */
    private static PairDecision withdrawn(PairDraft draft, PairTransition transition) {
        boolean isAwaited =
                draft.observed().snapshots().areUsed() && !draft.isOver(transition.deadline());
        boolean canAnswer =
                draft.half(active(transition)).half().flatMap(Half::jobManager).isPresent();
        return switch (draft.observed().savepoint()) {
            case AsyncResult.Done(var path) when path.isPresent() ->
                    Preparation.withdrawn(saved(draft, transition, path.get()), transition);
            case AsyncResult.Pending _ when isAwaited -> waiting(draft, transition);
            case AsyncResult.Silent _ when isAwaited && canAnswer -> waiting(draft, transition);
            case AsyncResult.Pending _, AsyncResult.Silent _ ->
                    Preparation.withdrawn(
                            draft.observed().snapshots().areUsed()
                                    ? draft.withEvent(PairEvents.savepointLeft(draft))
                                    : draft,
                            transition);
            case AsyncResult.Done _,
                    AsyncResult.NotAsked _,
                    AsyncResult.NotKept _,
                    AsyncResult.Failed _,
                    AsyncResult.Unknown _ ->
                    Preparation.withdrawn(draft, transition);
        };
    }

    private static PairDecision answered(
            PairDraft draft, PairTransition transition, TransitionSavepoint savepoint) {
        return switch (draft.observed().savepoint()) {
            case AsyncResult.Done(var location) ->
                    location.map(
                                    path ->
                                            OtherHalf.begin(
                                                    saved(draft, transition, path),
                                                    transition,
                                                    location))
                            .orElseGet(
                                    () ->
                                            tried(
                                                    draft,
                                                    transition,
                                                    savepoint,
                                                    "Flink does not say where the savepoint is."));
            case AsyncResult.NotKept(var why) -> tried(draft, transition, savepoint, why);
            case AsyncResult.Failed(var message) -> tried(draft, transition, savepoint, message);
            case AsyncResult.Pending _, AsyncResult.Silent _, AsyncResult.NotAsked _ ->
                    draft.isOver(transition.deadline())
                            ? Preparation.failed(
                                    draft,
                                    transition,
                                    "The savepoint of the active half is not complete in time."
                                            + " Should Flink complete it yet, it has no"
                                            + " FlinkStateSnapshot.")
                            : waiting(draft, transition);
            case AsyncResult.Unknown _ ->
                    draft.isOver(transition.deadline())
                            ? Preparation.failed(
                                    draft,
                                    transition,
                                    "The JobManager of the active half does not know the savepoint"
                                            + " that it was asked for.")
                            : waiting(
                                    draft.doing(trigger(draft, transition, savepoint)), transition);
        };
    }

    /**
     * A job that is not steady is not asked: its answer would be a failure. Nor is one for whose
     * savepoint there is no time left, because the operator did not look for a while.
     */
    private static PairDecision asked(PairDraft draft, PairTransition transition, int tries) {
        HalfView active = draft.half(active(transition));
        Optional<String> jobId =
                active.half().filter(half -> half.is(Condition.STEADY)).flatMap(Half::jobId);
        if (draft.isOver(transition.deadline())) {
            return Preparation.failed(
                    draft,
                    transition,
                    jobId.isEmpty()
                            ? "The active half does not run, and can't be saved."
                            : "There was no time left for a savepoint of the active half.");
        }
        if (jobId.isEmpty()) {
            return waiting(draft, transition);
        }
        TransitionSavepoint savepoint =
                TransitionSavepointBuilder.builder()
                        .triggerId(
                                Optional.of(
                                        AttemptIds.transitionSavepoint(
                                                transition.id(), jobId.get(), tries)))
                        .jobId(jobId)
                        .at(transition.savepoint().map(TransitionSavepoint::at).orElse(draft.now()))
                        .tries(tries)
                        .build();
        PairTransition next = transition.withSavepoint(Optional.of(savepoint));
        PairDraft tried = draft.with(next);
        PairDraft recorded =
                tried.withStatus(tried.status().withSavepointTriggerId(savepoint.triggerId()));
        return waiting(recorded.doing(trigger(draft, next, savepoint)), next);
    }

    private static PairAction trigger(
            PairDraft draft, PairTransition transition, TransitionSavepoint savepoint) {
        return new PairAction.TriggerSavepoint(
                active(transition),
                savepoint.jobId().orElse(""),
                new SavepointRequest(
                        savepoint.triggerId().orElse(""),
                        Optional.empty(),
                        switch (draft.savepointFormat()) {
                            case NATIVE -> SavepointFormat.NATIVE;
                            case CANONICAL, UNKNOWN -> SavepointFormat.CANONICAL;
                        }));
    }

    private static PairDecision tried(
            PairDraft draft, PairTransition transition, TransitionSavepoint savepoint, String why) {
        Instant next = draft.now().plus(FIRST_PAUSE.multipliedBy(1L << savepoint.tries()));
        boolean isLast =
                savepoint.tries() >= MOST_TRIES
                        || transition.deadline().filter(next::isAfter).isPresent();
        if (isLast) {
            return Preparation.failed(
                    draft, transition, "The active half can't make a savepoint: " + why);
        }
        PairTransition pausing =
                transition.withSavepoint(Optional.of(savepoint.withNextTry(Optional.of(next))));
        return waiting(
                draft.with(pausing).withEvent(PairEvents.savepointFailed(draft, why)), pausing);
    }

    private static PairDecision pausing(
            PairDraft draft, PairTransition transition, TransitionSavepoint savepoint) {
        return draft.isOver(savepoint.nextTry())
                ? asked(draft, transition, savepoint.tries() + 1)
                : waiting(draft, transition);
    }

    /** The savepoint that the active half was asked for is complete. */
    private static PairDraft saved(PairDraft draft, PairTransition transition, String path) {
        return Registration.recorded(draft, transition, path)
                .withEvent(PairEvents.saved(draft, path));
    }

    private static PairDecision waiting(PairDraft draft, PairTransition transition) {
        return draft.waiting(
                Reason.PAIR_SAVING,
                "",
                List.of(
                        Optional.of(draft.now().plus(draft.observed().polls().progress())),
                        transition.savepoint().flatMap(TransitionSavepoint::nextTry),
                        transition.deadline()));
    }

    /** The active half is stopped, and the other one is only made once nothing of it runs. */
    private static PairDecision stopping(PairDraft draft, PairTransition transition) {
        boolean isSaved = transition.startFrom() == StartState.SAVEPOINT;
        if (!(draft.half(active(transition)) instanceof Half half)) {
            return isSaved
                    ? Preparation.failed(draft, transition, "The active half is gone.")
                    : OtherHalf.begin(draft, transition, Optional.empty());
        }
        String mark = stopMark(transition);
        if (!half.isMarked(mark)) {
            HalfPlan suspended =
                    isSaved
                            ? HalfSpec.suspended(
                                    draft.active(), mark, half.spec(), UpgradeMode.SAVEPOINT)
                            : HalfSpec.suspended(draft.active(), mark, half.spec());
            return waiting(
                    draft.doing(
                            new PairAction.ApplyHalf(active(transition), half.uid(), suspended)),
                    transition);
        }
        if (half.is(Condition.SUSPENDED)) {
            if (!isSaved) {
                return OtherHalf.begin(draft, transition, Optional.empty());
            }
            return half.lastState()
                    .map(
                            path ->
                                    OtherHalf.begin(
                                            draft.withEvent(PairEvents.saved(draft, path)),
                                            transition,
                                            Optional.of(path)))
                    .orElseGet(
                            () ->
                                    resumed(
                                            draft,
                                            transition,
                                            "The active half was stopped without a savepoint, as"
                                                    + " its job did not run then."));
        }
        return draft.isOver(transition.deadline())
                        || half.is(Condition.BROKEN)
                        || half.is(Condition.FINISHED)
                ? resumed(
                        draft,
                        transition,
                        "The active half could not be stopped in time. " + half.why())
                : waiting(draft, transition);
    }

    private static PairDecision resumed(PairDraft draft, PairTransition transition, String why) {
        return Abort.resume(
                draft.withEvent(PairEvents.failed(draft, transition, why)),
                transition,
                TransitionOutcome.FAILED,
                why);
    }

    /** What the active half is annotated with while it is stopped for the transition. */
    static String stopMark(PairTransition transition) {
        return transition.id() + "-stop";
    }

    private static HalfColor active(PairTransition transition) {
        return transition.from().orElse(transition.to().other());
    }
}
