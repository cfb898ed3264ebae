// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.lifecycle.SessionJobLifecycle;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.ClusterRemoval;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.decide.upgrade.Upgrade;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import java.util.Optional;

/** A spec of which none was reconciled before: the first attempt at running it. */
final class FirstDeployment {
    private FirstDeployment() {}

    static StepResult decide(ObservedState observed, FlinkDeploymentSpec spec, ObjectNode raw) {
        if (ClusterOwnership.isOfLostStatus(observed, spec)) {
            StepContext lost = HeldChange.contextWithoutSpec(observed);
            String detail =
                    RestorableState.startedFrom(lost)
                            .map(path -> "status.jobStatus.upgradeSavepointPath is " + path + ".")
                            .orElse("");
            return HeldChange.askHuman(lost, Reason.STATUS_LOST, detail);
        }
        StepContext context = StepContext.of(observed, new ReconciledSpec(raw, true), spec);
        if (!context.isDesiredRunning()) {
            return context.decide(Reason.SUSPENDED, "", Optional.empty());
        }
        if (observed.target() instanceof Target.SessionJob(var cluster, _)) {
            return cluster.takesJobs()
                    ? Upgrade.startAttempt(context, initial(spec))
                    : SessionJobLifecycle.waitForSessionCluster(context, cluster);
        }
        if (!observed.cluster().isGone()) {
            return ClusterRemoval.awaitRemoval(
                    context,
                    Reason.WAITING_FOR_REMOVAL,
                    ClusterOwnership.foreignInTheWay(observed));
        }
        return Upgrade.startAttempt(context, initial(spec));
    }

    static StartFrom initial(FlinkDeploymentSpec spec) {
        return spec.job()
                .flatMap(JobSpec::initialSavepointPath)
                .<StartFrom>map(StartFrom.Savepoint::new)
                .orElseGet(StartFrom.Nothing::new);
    }
}
