// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import java.time.Duration;
import java.util.function.Function;
import java.util.List;
import java.util.Optional;

/** A current spec that can't be carried out: the pass goes on with the former one, and says so. */
final class Objection {
    private static final String UNSUPPORTED_VERSION = "flink-version-unsupported";

    private Objection() {}

    /**
     * The current spec can't be used: the former one goes on, and the reason says why.
     *
     * @param goingOn decides what the former spec asks for
     */
    static Decision ofInvalid(
            Snapshot snapshot,
            SpecView.Invalid view,
            Function<StepResult, Decision> goingOn) {
        Reason reason = view.reason();
        String detail = String.join("\n", view.problems());
        Optional<Duration> checkAgain = view.checkAgain(snapshot.polls().steady());
        boolean isToBeTold = reason != Reason.VALIDATING;
        return snapshot.takenUp()
                .map(
                        before ->
                                goingOn.apply(
                                        isToBeTold
                                                ? to(
                                                        FormerSpec.of(snapshot, before), reason, detail)
                                                : waiting(
                                                        snapshot, before, reason, detail)))
                .map(decision -> checkAgain.map(decision::within).orElse(decision))
                .orElseGet(() -> ofFirst(snapshot, view));
    }

    /**
     * No spec was reconciled before, by the record. That a status was lost is reported until a
     * valid spec ends it.
     */
    private static Decision ofFirst(Snapshot snapshot, SpecView.Invalid view) {
        Reason reason = view.reason();
        String detail = String.join("\n", view.problems());
        Pass pass =
                reason == Reason.VALIDATING
                        ? pass(snapshot)
                        : pass(snapshot, note(reason, detail, snapshot));
        return Ownership.isOfLostStatus(snapshot)
                ? stuck(pass, Reason.STATUS_LOST, detail)
                : pass.decided(reason, detail, view.checkAgain(snapshot.polls().steady()));
    }

    /** What the former spec asks for goes on, and the reason says why the current one does not. */
    static StepResult to(Pass former, Reason reason, String detail) {
        return new StepResult.Held(
                former.telling(note(reason, detail, former.snapshot())), reason, detail);
    }

    /** The change has to wait; meanwhile the former spec goes on. */
    static StepResult.Held waiting(
            Snapshot snapshot, TakenUp before, Reason reason, String detail) {
        return new StepResult.Held(FormerSpec.of(snapshot, before), reason, detail);
    }

    /** The change needs a human's word; meanwhile the former spec goes on. */
    static StepResult.Held asking(
            Snapshot snapshot, TakenUp before, Reason reason, String detail) {
        return new StepResult.Held(
                FormerSpec.of(snapshot, before)
                        .telling(failure(reason, reason.text() + " " + detail, snapshot)),
                reason,
                detail);
    }

    /** Nothing can be done any more until a human has said something. */
    static Decision stuck(Pass pass, Reason reason, String detail) {
        return pass.telling(failure(reason, reason.text() + " " + detail, pass.snapshot()))
                .decided(reason, detail, Optional.of(pass.snapshot().polls().steady()));
    }

    /** What was decided, and what there is to say of it besides. */
    static Decision saying(Decision decision, Reason reason, String detail, Snapshot snapshot) {
        return new Decision(
                reason,
                detail,
                Report.objecting(decision.status(), snapshot, reason, detail),
                decision.actions(),
                decision.notes(),
                decision.checkAgain());
    }

    /** A pass without any spec that could be used. */
    static Pass pass(Snapshot snapshot, Note... notes) {
        var nothing = JsonNodeFactory.instance.objectNode();
        return new Pass(
                snapshot,
                new ReconciledSpec(nothing, true),
                FlinkDeploymentSpec.parse(nothing, "spec").value(),
                Draft.of(snapshot.status()),
                List.of(notes));
    }

    static Note note(Reason reason, String detail, Snapshot snapshot) {
        String key = reason.wire() + " generation " + snapshot.identity().generation();
        return Note.warning(
                "Operator",
                reason == Reason.SPEC_INVALID ? invalid(snapshot.spec()) : reason.wire(),
                reason == Reason.SPEC_INVALID
                        ? "generation " + snapshot.identity().generation()
                        : key,
                reason.text() + " " + detail);
    }

    /** A version that is not supported has an event of its own. */
    private static String invalid(SpecView spec) {
        return spec instanceof SpecView.Invalid wrong && wrong.breaks(UNSUPPORTED_VERSION)
                ? "UnsupportedFlinkVersion"
                : "ValidationError";
    }

    static Note failure(Reason reason, String message, Snapshot snapshot) {
        return Note.warning(
                "JobManagerDeployment",
                reason.wire(),
                reason.wire() + " generation " + snapshot.identity().generation(),
                message);
    }
}
