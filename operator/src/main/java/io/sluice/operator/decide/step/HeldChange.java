// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.SpecView;
import java.util.Optional;
import java.util.stream.Stream;

/** A current spec that can't be carried out: the former one goes on, and the reason says why. */
public final class HeldChange {
    private static final String UNSUPPORTED_VERSION = "flink-version-unsupported";

    private HeldChange() {}

    /** The current spec can't be used: the former one goes on, and the reason says why. */
    public static StepResult ofInvalidSpec(
            ObservedState observed, LastReconciledSpec before, SpecView.Invalid view) {
        Reason reason = view.reason();
        String detail = detail(view);
        return reason == Reason.VALIDATING
                ? waitWithFormerSpec(observed, before, reason, detail)
                : new StepResult.Held(
                        FormerSpec.of(observed, before).withEvent(note(reason, detail, observed)),
                        reason,
                        detail);
    }

    /**
     * The first spec can't be used: there is none that could go on. That a status was lost is
     * reported until a valid spec ends it.
     */
    public static Decision ofInvalidFirstSpec(ObservedState observed, SpecView.Invalid view) {
        Reason reason = view.reason();
        String detail = detail(view);
        StepContext context =
                reason == Reason.VALIDATING
                        ? contextWithoutSpec(observed)
                        : contextWithoutSpec(observed).withEvent(note(reason, detail, observed));
        return ClusterOwnership.isOfLostStatus(observed)
                ? askHuman(context, Reason.STATUS_LOST, detail)
                : context.decide(reason, detail, view.checkAgain(observed.polls().steady()));
    }

    private static String detail(SpecView.Invalid view) {
        return String.join("\n", view.problems());
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
        return decision.with()
                .reason(reason)
                .detail(detail)
                .status(StatusRenderer.objecting(decision.status(), observed, reason, detail))
                .build();
    }

    /** The same of a change that is held, with what is done for it. */
    public static Decision withReason(Decision decision, StepResult.Held held) {
        return withReason(decision, held.reason(), held.detail(), held.context().observed())
                .withActions(
                        Stream.concat(decision.actions().stream(), held.actions().stream())
                                .toList());
    }

    /** A context without any spec that could be used. */
    public static StepContext contextWithoutSpec(ObservedState observed) {
        var nothing = JsonNodeFactory.instance.objectNode();
        return StepContext.of(
                observed,
                new ReconciledSpec(nothing, true),
                FlinkDeploymentSpec.parse(nothing, "spec").value());
    }

    private static ResourceEvent note(Reason reason, String detail, ObservedState observed) {
        String generation = "generation " + observed.identity().generation();
        String message = reason.text() + " " + detail;
        return reason == Reason.SPEC_INVALID
                ? ResourceEvent.of("Operator", invalid(observed.spec()), generation, message)
                : ResourceEvent.warning(
                        "Operator", reason, reason.wire() + " " + generation, message);
    }

    /** A version that is not supported has an event of its own. */
    private static OperatorEvent invalid(SpecView spec) {
        return spec instanceof SpecView.Invalid wrong && wrong.breaks(UNSUPPORTED_VERSION)
                ? OperatorEvent.UNSUPPORTED_FLINK_VERSION
                : OperatorEvent.VALIDATION_ERROR;
    }

    public static ResourceEvent failure(Reason reason, String message, ObservedState observed) {
        return ResourceEvent.warning(
                "JobManagerDeployment",
                reason,
                reason.wire() + " generation " + observed.identity().generation(),
                message);
    }
}
