// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import java.util.List;
import java.util.Optional;

/**
 * A changed spec that asks for a restart without state: suspend, resume, or remove the former
 * cluster and start a new one.
 */
final class Upgrade {
    private Upgrade() {}

    static Decision decide(
            Snapshot snapshot,
            TakenUp before,
            FlinkDeploymentSpec spec,
            ReconciledSpec wanted,
            String changed) {
        Pass pass =
                new Pass(snapshot, wanted, spec, Draft.of(snapshot.status()), List.of())
                        .telling(
                                Note.normal(
                                        "JobManagerDeployment",
                                        "SpecChanged",
                                        "SpecChange: " + snapshot.identity().generation(),
                                        "UPGRADE change(s) detected: " + changed));
        return pass.isDesiredRunning() ? restart(pass) : suspend(pass, before);
    }

    private static Decision restart(Pass pass) {
        Pass begun = pass.beginning();
        begun =
                begun.telling(
                        Note.normal(
                                "JobManagerDeployment",
                                "Submit",
                                begun.jobId(),
                                "Starting deployment"));
        return pass.cluster().isGone()
                ? begun.decided(Reason.DEPLOYMENT_STARTED, pass.soon(), begun.creation())
                : begun.decided(Reason.UPGRADE_STARTED, pass.soon(), pass.removal());
    }

    private static Decision suspend(Pass pass, TakenUp before) {
        Pass remembered =
                pass.with(pass.draft().remembering(pass.wanted()).in(ReconciliationState.UPGRADING))
                        .telling(
                                Note.normal(
                                        "JobManagerDeployment",
                                        "Suspended",
                                        "generation " + pass.snapshot().identity().generation(),
                                        "Suspending existing deployment"));
        boolean wasAtRest = before.spec().job().isEmpty() || pass.cluster().isGone();
        return wasAtRest
                ? Pipeline.decide(remembered)
                : remembered.decided(
                        Reason.SUSPENDING, "", Optional.of(pass.soon()), pass.removal());
    }
}
