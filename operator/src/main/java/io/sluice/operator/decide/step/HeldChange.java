// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.SpecView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A current spec that can't be carried out: the former one goes on, and the reason says why. */
public final class HeldChange {
    private static final String UNSUPPORTED_VERSION = "flink-version-unsupported";

    private HeldChange() {}

    /**
     * The current spec can't be used: the former one goes on, and the reason says why.
     *
     * @param goingOn decides what the former spec asks for
     */
    public static Decision ofInvalidSpec(
            ObservedState observed, SpecView.Invalid view, Function<StepResult, Decision> goingOn) {
        Reason reason = view.reason();
        String detail = String.join("\n", view.problems());
        Optional<Duration> checkAgain = view.checkAgain(observed.polls().steady());
        boolean isToBeTold = reason != Reason.VALIDATING;
        return observed.takenUp()
                .map(
                        before ->
                                goingOn.apply(
                                        isToBeTold
                                                ? continueFormerSpec(
                                                        FormerSpec.of(observed, before),
                                                        reason,
                                                        detail)
                                                : waitWithFormerSpec(
                                                        observed, before, reason, detail)))
                .map(decision -> checkAgain.map(decision::within).orElse(decision))
                .orElseGet(() -> withoutFormerSpec(observed, view));
    }

    /**
     * No spec was reconciled before, by the record. That a status was lost is reported until a
     * valid spec ends it.
     */
    private static Decision withoutFormerSpec(ObservedState observed, SpecView.Invalid view) {
        Reason reason = view.reason();
        String detail = String.join("\n", view.problems());
        StepContext context =
                reason == Reason.VALIDATING
                        ? pass(observed)
                        : pass(observed, note(reason, detail, observed));
        return ClusterOwnership.isOfLostStatus(observed)
                ? askHuman(context, Reason.STATUS_LOST, detail)
                : context.decide(reason, detail, view.checkAgain(observed.polls().steady()));
    }

    /** What the former spec asks for goes on, and the reason says why the current one does not. */
    static StepResult continueFormerSpec(StepContext former, Reason reason, String detail) {
        return new StepResult.Held(
                former.withEvent(note(reason, detail, former.observed())), reason, detail);
    }

    /** The change has to wait; meanwhile the former spec goes on. */
    public static StepResult.Held waitWithFormerSpec(
            ObservedState observed, LastReconciledSpec before, Reason reason, String detail) {
        return new StepResult.Held(FormerSpec.of(observed, before), reason, detail);
    }

    /** The change needs a human's word; meanwhile the former spec goes on. */
    public static StepResult.Held askHumanWithFormerSpec(
            ObservedState observed, LastReconciledSpec before, Reason reason, String detail) {
        return new StepResult.Held(
                FormerSpec.of(observed, before)
                        .withEvent(failure(reason, reason.text() + " " + detail, observed)),
                reason,
                detail);
    }

    /** Nothing can be done any more until a human has said something. */
    public static Decision askHuman(StepContext context, Reason reason, String detail) {
        return context.withEvent(failure(reason, reason.text() + " " + detail, context.observed()))
                .decide(reason, detail, Optional.of(context.observed().polls().steady()));
    }

    /** What was decided, and what there is to say of it besides. */
    public static Decision withReason(
            Decision decision, Reason reason, String detail, ObservedState observed) {
        return new Decision(
                reason,
                detail,
                StatusRenderer.objecting(decision.status(), observed, reason, detail),
                decision.actions(),
                decision.notes(),
                decision.checkAgain());
    }

    /** A context without any spec that could be used. */
    public static StepContext pass(ObservedState observed, ResourceEvent... notes) {
        var nothing = JsonNodeFactory.instance.objectNode();
        return new StepContext(
                observed,
                new ReconciledSpec(nothing, true),
                FlinkDeploymentSpec.parse(nothing, "spec").value(),
                StatusDraft.of(observed.status()),
                List.of(notes));
    }

    static ResourceEvent note(Reason reason, String detail, ObservedState observed) {
        String key = reason.wire() + " generation " + observed.identity().generation();
        return ResourceEvent.warning(
                "Operator",
                reason == Reason.SPEC_INVALID ? invalid(observed.spec()) : reason.wire(),
                reason == Reason.SPEC_INVALID
                        ? "generation " + observed.identity().generation()
                        : key,
                reason.text() + " " + detail);
    }

    /** A version that is not supported has an event of its own. */
    private static String invalid(SpecView spec) {
        return spec instanceof SpecView.Invalid wrong && wrong.breaks(UNSUPPORTED_VERSION)
                ? "UnsupportedFlinkVersion"
                : "ValidationError";
    }

    public static ResourceEvent failure(Reason reason, String message, ObservedState observed) {
        return ResourceEvent.warning(
                "JobManagerDeployment",
                reason.wire(),
                reason.wire() + " generation " + observed.identity().generation(),
                message);
    }
}
