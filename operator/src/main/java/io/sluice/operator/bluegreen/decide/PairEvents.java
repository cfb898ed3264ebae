// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.RunView.SnapshotView;
import java.time.Duration;
import java.time.Instant;

/** The events of a pair (docs/contract/events.md, section 2). */
final class PairEvents {
    private static final String COMPONENT = "Operator";

    private PairEvents() {}

    static ResourceEvent started(PairDraft draft, PairTransition transition) {
        return note(
                draft,
                OperatorEvent.TRANSITION_STARTED,
                "A transition to "
                        + transition.to().wire()
                        + " has begun, "
                        + transition.handover().wire()
                        + ", from "
                        + switch (transition.startFrom()) {
                            case SAVEPOINT -> "a savepoint of the active half.";
                            case TEMPLATE -> "spec.template.spec.job.initialSavepointPath.";
                            case EMPTY -> "nothing.";
                        });
    }

    static ResourceEvent noRoom(PairDraft draft, String lack) {
        return ResourceEvent.warning(
                COMPONENT,
                Reason.PAIR_NO_ROOM,
                key(draft),
                Reason.PAIR_NO_ROOM.text() + " " + lack);
    }

    static ResourceEvent saved(PairDraft draft, String path) {
        return note(
                draft, OperatorEvent.SAVEPOINT_TAKEN, "The active half was saved to " + path + ".");
    }

    static ResourceEvent savepointFailed(PairDraft draft, String why) {
        return note(
                draft,
                OperatorEvent.SAVEPOINT_ERROR,
                "The active half could not be saved, which is tried again: " + why);
    }

    /** Nobody waits for the savepoint any more. */
    static ResourceEvent savepointLeft(PairDraft draft) {
        return note(
                draft,
                OperatorEvent.SAVEPOINT_ERROR,
                "The spec was changed again before the savepoint of the active half was complete."
                        + " Should Flink complete it yet, it has no FlinkStateSnapshot.");
    }

    /** The path is in no status any more once another transition has begun. */
    static ResourceEvent notRegistered(PairDraft draft, SavepointRegistration registration) {
        String why =
                draft.observed().snapshots().registered()
                                instanceof SnapshotView.Refused(var message)
                        ? ": " + message
                        : "";
        return ResourceEvent.of(
                COMPONENT,
                OperatorEvent.SAVEPOINT_ERROR,
                registration.name(),
                "The savepoint "
                        + registration.path()
                        + ", which "
                        + registration.job()
                        + " has made for a transition, has no FlinkStateSnapshot: "
                        + registration.name()
                        + " could not be created"
                        + why
                        + ". The savepoint itself is complete; create a FlinkStateSnapshot with"
                        + " spec.savepoint.alreadyExists to register it");
    }

    static ResourceEvent ready(PairDraft draft, PairTransition transition) {
        return note(
                draft,
                OperatorEvent.HALF_READY,
                transition.to().wire()
                        + " runs, "
                        + seconds(transition.since(), draft.now())
                        + " s after its start began.");
    }

    static ResourceEvent approval(PairDraft draft, PairTransition transition) {
        return note(
                draft,
                OperatorEvent.WAITING_FOR_APPROVAL,
                transition.to().wire()
                        + " waits for the annotation sluice.io/promote: \""
                        + transition.generation()
                        + "\".");
    }

    static ResourceEvent inconclusive(PairDraft draft, PairTransition transition, String why) {
        return note(
                draft,
                OperatorEvent.ANALYSIS_INCONCLUSIVE,
                transition.to().wire() + " is promoted all the same. " + why);
    }

    static ResourceEvent promoted(PairDraft draft, PairTransition transition) {
        return note(draft, OperatorEvent.PROMOTED, transition.to().wire() + " is the active half.");
    }

    /** How long both ran, and what that means for the records of that time. */
    static ResourceEvent removed(PairDraft draft, PairTransition transition) {
        String twice =
                transition
                        .savepoint()
                        .filter(_ -> transition.handover() == Handover.OVERLAP)
                        .map(TransitionSavepoint::at)
                        .map(
                                at ->
                                        " Records from "
                                                + at
                                                + " on were processed by both, for "
                                                + seconds(at, draft.now())
                                                + " s.")
                        .orElse("");
        return note(
                draft,
                OperatorEvent.REMOVED,
                transition.to().other().wire() + " is being deleted." + twice);
    }

    static ResourceEvent aborted(
            PairDraft draft, PairTransition transition, TransitionOutcome outcome, String why) {
        return outcome == TransitionOutcome.SUPERSEDED
                ? note(
                        draft,
                        OperatorEvent.TRANSITION_SUPERSEDED,
                        "The spec was changed during the transition, which begins again.")
                : note(
                        draft,
                        OperatorEvent.TRANSITION_ABORTED,
                        transition.to().wire() + " is stopped. " + why);
    }

    static ResourceEvent failed(PairDraft draft, PairTransition transition, String why) {
        return note(
                draft,
                OperatorEvent.TRANSITION_ABORTED,
                transition.to().wire() + " was not started. " + why);
    }

    static ResourceEvent inPlace(PairDraft draft, PairTransition transition, String why) {
        return note(
                draft,
                OperatorEvent.CHANGED_IN_PLACE,
                transition.to().other().wire()
                        + " can't be saved, and gets the new spec in place. "
                        + why);
    }

    static ResourceEvent late(PairDraft draft, HalfColor color, String why) {
        return note(draft, OperatorEvent.FIRST_HALF_FAILED, color.wire() + " does not run. " + why);
    }

    private static ResourceEvent note(PairDraft draft, OperatorEvent event, String message) {
        return ResourceEvent.of(COMPONENT, event, key(draft), message);
    }

    private static String key(PairDraft draft) {
        return "generation " + draft.observed().identity().generation();
    }

    private static long seconds(Instant from, Instant to) {
        return Duration.between(from, to).toSeconds();
    }
}
