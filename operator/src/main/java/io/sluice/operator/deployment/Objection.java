// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import java.util.List;

/** A current spec that can't be carried out: the pass goes on with the former one, and says so. */
final class Objection {
    private Objection() {}

    /** What the former spec asks for now, reported with the objection as its reason. */
    static Decision to(Pass carryingOn, Reason reason, String detail, Snapshot snapshot) {
        Decision decision = Pipeline.decide(carryingOn.telling(note(reason, detail, snapshot)));
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
                reason == Reason.SPEC_INVALID ? "ValidationError" : reason.wire(),
                reason == Reason.SPEC_INVALID
                        ? "generation " + snapshot.identity().generation()
                        : key,
                reason.text() + " " + detail);
    }
}
