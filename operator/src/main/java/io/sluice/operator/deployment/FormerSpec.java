// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import java.util.List;

/** The context in which the spec goes on that is on record, while a newer one is not carried out. */
final class FormerSpec {
    private FormerSpec() {}

    /** The pass with the spec that was taken up before. */
    static Pass of(Snapshot snapshot, TakenUp before) {
        return carriedOut(
                new Pass(
                        snapshot,
                        new ReconciledSpec(before.raw(), before.firstDeployment()),
                        before.spec(),
                        Draft.of(snapshot.status()),
                        List.of()));
    }

    /** The pass with the spec that is to be carried out while there is a rollback. */
    static Pass carriedOut(Pass pass) {
        boolean resumed =
                pass.draft().attempt().rolledBack()
                        && pass.draft().reconciliation().state() == ReconciliationState.UPGRADING;
        Draft draft = resumed ? pass.draft().in(ReconciliationState.ROLLING_BACK) : pass.draft();
        return draft.isRolledBack()
                ? TakenUp.stable(pass.snapshot().status().reconciliationStatus())
                        .map(stable -> onto(pass.with(draft), stable.spec()))
                        .orElse(pass)
                : pass;
    }

    static Pass onto(Pass pass, FlinkDeploymentSpec spec) {
        return new Pass(pass.snapshot(), pass.wanted(), spec, pass.draft(), pass.notes());
    }
}
