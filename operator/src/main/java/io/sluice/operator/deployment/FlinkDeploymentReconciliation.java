// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.act.Effects;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.Observer;
import io.sluice.operator.reconcile.EventSink;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore;

/** One reconciliation of one FlinkDeployment. */
public final class FlinkDeploymentReconciliation {
    private final Reconciliation<FlinkDeployment> reconciliation;

    public FlinkDeploymentReconciliation(
            Observer observer,
            StatusStore<FlinkDeployment> store,
            Effects effects,
            EventSink eventSink,
            ObservationMemory memory) {
        reconciliation =
                new Reconciliation<>(
                        observer::observe,
                        store,
                        effects::perform,
                        eventSink::tell,
                        (decision, stored) -> decision.status().onto(stored),
                        memory,
                        "flinkdeployments.flink.apache.org");
    }

    public Reconciliation.Outcome run(FlinkDeployment resource) {
        return reconciliation.run(resource);
    }
}
