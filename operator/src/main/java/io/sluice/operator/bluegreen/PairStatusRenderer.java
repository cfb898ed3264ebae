// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.operator.bluegreen.decide.PairDecision;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.decide.step.Conditions;
import io.sluice.operator.reconcile.Reconciliation;
import java.util.Optional;

/** Renders the status of a decision; conditions follow from the typed reason. */
final class PairStatusRenderer {
    private PairStatusRenderer() {}

    /** The decision's status over what is stored. Its time is that of the last change. */
    static ObjectNode status(PairObservedState observed, PairDecision decision, ObjectNode stored) {
        long generation = observed.identity().generation();
        var conditions = new Conditions(observed.status().conditions(), generation, observed.now());
        FlinkBlueGreenDeploymentStatus next =
                decision.status()
                        .with()
                        .error(decision.status().error().map(Conditions::shortened))
                        .observedGeneration(Optional.of(generation))
                        .conditions(
                                conditions.of(
                                        decision.reason(),
                                        decision.detail(),
                                        decision.reason().isAsAsked()))
                        .build();
        ObjectNode rendered = next.onto(stored);
        return Reconciliation.isSame(rendered, stored)
                ? rendered
                : next.withLastReconciledTimestamp(Optional.of(observed.now())).onto(stored);
    }
}
