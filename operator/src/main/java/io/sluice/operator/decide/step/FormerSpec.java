// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import java.util.Optional;

/** Makes the context in which the spec on record is carried out while a newer one is not. */
public final class FormerSpec {
    private FormerSpec() {}

    /** The context with the spec that was reconciled last; empty before the first one was. */
    public static Optional<StepContext> of(ObservedState observed) {
        return observed.lastReconciled().map(before -> of(observed, before));
    }

    /** The context with the spec that was reconciled last. */
    public static StepContext of(ObservedState observed, LastReconciledSpec before) {
        return withSpecToDeploy(
                StepContext.of(
                        observed,
                        new ReconciledSpec(before.raw(), before.firstDeployment()),
                        before.spec()));
    }

    /** The context with the spec that is to be carried out while there is a rollback. */
    public static StepContext withSpecToDeploy(StepContext context) {
        boolean resumed =
                context.draft().attempt().rolledBack()
                        && context.draft().reconciliation().state()
                                == ReconciliationState.UPGRADING;
        StatusDraft draft =
                resumed ? context.draft().in(ReconciliationState.ROLLING_BACK) : context.draft();
        return draft.isRolledBack()
                ? LastReconciledSpec.stable(context.observed().status().reconciliationStatus())
                        .map(stable -> context.with().draft(draft).spec(stable.spec()).build())
                        .orElse(context)
                : context;
    }
}
