// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.decide.step.Conditions;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Reason.Outlook;
import java.util.Optional;

/** Renders the status of a decision; conditions follow from the typed reason. */
final class SnapshotStatusRenderer {
    private SnapshotStatusRenderer() {}

    /** The decision's status over what is stored. */
    static ObjectNode status(
            SnapshotObservedState observed, SnapshotDecision decision, ObjectNode stored) {
        long generation = observed.identity().generation();
        var conditions = new Conditions(observed.status().conditions(), generation, observed.now());
        return decision.status()
                .with()
                .observedGeneration(Optional.of(generation))
                .conditions(
                        conditions.of(
                                decision.reason(),
                                decision.detail(),
                                decision.reason().outlook() == Outlook.READY))
                .build()
                .onto(stored);
    }

    /** {@code status.error} (docs/contract/crds.md, section 5). */
    static String error(Reason reason, String message) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", reason.wire())
                .put("message", Conditions.shortened(message.isEmpty() ? reason.text() : message))
                .toString();
    }
}
