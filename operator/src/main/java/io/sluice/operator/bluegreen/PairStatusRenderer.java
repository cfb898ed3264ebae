// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.Condition;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.bluegreen.decide.PairDecision;
import io.sluice.operator.model.Reason.Outlook;
import io.sluice.operator.reconcile.Reconciliation;
import java.util.List;
import java.util.Optional;

/** Renders the status of a decision; conditions follow from the typed reason. */
final class PairStatusRenderer {
    private static final int LONGEST_MESSAGE = 2048;

    private PairStatusRenderer() {}

    /** The decision's status over what is stored. Its time is that of the last change. */
    static ObjectNode status(PairObservedState observed, PairDecision decision, ObjectNode stored) {
        Outlook outlook = decision.reason().outlook();
        FlinkBlueGreenDeploymentStatus next =
                decision.status()
                        .with()
                        .error(decision.status().error().map(PairStatusRenderer::cut))
                        .observedGeneration(Optional.of(observed.identity().generation()))
                        .conditions(
                                List.of(
                                        condition(
                                                observed,
                                                decision,
                                                "Ready",
                                                decision.reason().isAsAsked()),
                                        condition(
                                                observed,
                                                decision,
                                                "Reconciling",
                                                outlook == Outlook.PROGRESSING),
                                        condition(
                                                observed,
                                                decision,
                                                "Stalled",
                                                outlook == Outlook.STALLED)))
                        .build();
        ObjectNode rendered = next.onto(stored);
        return Reconciliation.isSame(rendered, stored)
                ? rendered
                : next.withLastReconciledTimestamp(Optional.of(observed.now())).onto(stored);
    }

    private static Condition condition(
            PairObservedState observed, PairDecision decision, String type, boolean holds) {
        Condition.Status status = holds ? Condition.Status.TRUE : Condition.Status.FALSE;
        String text = decision.reason().text();
        return new Condition(
                type,
                status,
                decision.reason().wire(),
                cut(decision.detail().isEmpty() ? text : text + " " + decision.detail()),
                observed.status()
                        .condition(type)
                        .filter(before -> before.status() == status)
                        .map(Condition::lastTransitionTime)
                        .orElse(observed.now()),
                Optional.of(observed.identity().generation()));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_MESSAGE
                ? text
                : text.substring(0, LONGEST_MESSAGE - 1) + "…";
    }
}
