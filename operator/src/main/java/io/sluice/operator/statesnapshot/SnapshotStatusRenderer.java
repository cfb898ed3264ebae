// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.Condition;
import io.sluice.api.text.ShortenedText;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Reason.Outlook;
import java.util.List;
import java.util.Optional;

/** Renders the status of a decision; conditions follow from the typed reason. */
final class SnapshotStatusRenderer {
    private static final int LONGEST_MESSAGE = 2048;

    private SnapshotStatusRenderer() {}

    /** The decision's status over what is stored. */
    static ObjectNode status(
            SnapshotObservedState observed, SnapshotDecision decision, ObjectNode stored) {
        Outlook outlook = decision.reason().outlook();
        return decision.status()
                .with()
                .observedGeneration(Optional.of(observed.identity().generation()))
                .conditions(
                        List.of(
                                condition(observed, decision, "Ready", outlook == Outlook.READY),
                                condition(
                                        observed,
                                        decision,
                                        "Reconciling",
                                        outlook == Outlook.PROGRESSING),
                                condition(
                                        observed, decision, "Stalled", outlook == Outlook.STALLED)))
                .build()
                .onto(stored);
    }

    /** {@code status.error} (docs/contract/crds.md, section 5). */
    static String error(Reason reason, String message) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", reason.wire())
                .put(
                        "message",
                        ShortenedText.of(
                                message.isEmpty() ? reason.text() : message, LONGEST_MESSAGE))
                .toString();
    }

    private static Condition condition(
            SnapshotObservedState observed, SnapshotDecision decision, String type, boolean holds) {
        Condition.Status status = holds ? Condition.Status.TRUE : Condition.Status.FALSE;
        String text = decision.reason().text();
        return new Condition(
                type,
                status,
                decision.reason().wire(),
                ShortenedText.of(
                        decision.detail().isEmpty() ? text : text + " " + decision.detail(),
                        LONGEST_MESSAGE),
                observed.status()
                        .condition(type)
                        .filter(before -> before.status() == status)
                        .map(Condition::lastTransitionTime)
                        .orElse(observed.now()),
                Optional.of(observed.identity().generation()));
    }
}
