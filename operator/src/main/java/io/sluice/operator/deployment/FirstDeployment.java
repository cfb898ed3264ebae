// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.operator.manifest.StartFrom;
import java.util.List;
import java.util.Optional;

/** A spec of which none was reconciled before: the first attempt at running it. */
final class FirstDeployment {
    private FirstDeployment() {}

    static StepResult decide(
            Snapshot snapshot, FlinkDeploymentSpec spec, ObjectNode raw) {
        if (Ownership.isOfLostStatus(snapshot, spec)) {
            return Objection.stuck(Objection.pass(snapshot), Reason.STATUS_LOST, "");
        }
        Pass pass = new Pass(snapshot, new ReconciledSpec(raw, true), spec, Draft.of(snapshot.status()), List.of());
        if (!pass.isDesiredRunning()) {
            return pass.decided(Reason.SUSPENDED, "", Optional.empty());
        }
        if (snapshot.target() instanceof Target.SessionJob(var host, _)) {
            return host.takesJobs()
                    ? Upgrade.takeUp(pass, initial(spec))
                    : Hosted.waiting(pass, host);
        }
        if (!snapshot.cluster().isGone()) {
            return Removal.awaited(pass, Reason.WAITING_FOR_REMOVAL, Ownership.foreign(snapshot));
        }
        return Upgrade.takeUp(pass, initial(spec));
    }

    static StartFrom initial(FlinkDeploymentSpec spec) {
        return spec.job()
                .flatMap(JobSpec::initialSavepointPath)
                .<StartFrom>map(StartFrom.Savepoint::new)
                .orElseGet(StartFrom.Nothing::new);
    }
}
