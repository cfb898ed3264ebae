// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobStatus;
import io.sluice.api.ReconciliationStatus;
import java.util.Optional;

/** Copies of a status in which one part is another, as a human or a tool may write them. */
final class Statuses {
    private Statuses() {}

    static FlinkDeploymentStatus with(JobStatus job, FlinkDeploymentStatus status) {
        return new FlinkDeploymentStatus(
                job,
                status.error(),
                status.observedGeneration(),
                status.lifecycleState(),
                status.clusterInfo(),
                status.jobManagerDeploymentStatus(),
                status.reconciliationStatus(),
                status.taskManager(),
                status.attempt(),
                status.conditions());
    }

    /** With {@code spec} as the last reconciled one. */
    static FlinkDeploymentStatus withLastSpec(Optional<String> spec, FlinkDeploymentStatus status) {
        var reconciliation = status.reconciliationStatus();
        return new FlinkDeploymentStatus(
                status.jobStatus(),
                status.error(),
                status.observedGeneration(),
                status.lifecycleState(),
                status.clusterInfo(),
                status.jobManagerDeploymentStatus(),
                new ReconciliationStatus(
                        reconciliation.reconciliationTimestamp(),
                        spec,
                        reconciliation.lastStableSpec(),
                        reconciliation.state()),
                status.taskManager(),
                status.attempt(),
                status.conditions());
    }

    /** As the API server holds it. */
    static ObjectNode stored(FlinkDeploymentStatus status) {
        return status.onto(JsonNodeFactory.instance.objectNode());
    }

    /** As the API server holds it, once somebody has removed the attempt. */
    static ObjectNode withoutAttempt(FlinkDeploymentStatus status) {
        ObjectNode stored = stored(status);
        stored.remove("attempt");
        return stored;
    }
}
