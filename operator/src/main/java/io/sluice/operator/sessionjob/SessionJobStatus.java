// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.TaskManagerStatus;
import java.util.Map;
import java.util.Optional;

/**
 * Converts a session job's status, which lacks the cluster's parts, to the layout that decisions
 * work on, and back.
 */
final class SessionJobStatus {
    private SessionJobStatus() {}

    static FlinkDeploymentStatus of(FlinkSessionJob resource) {
        FlinkSessionJobStatus status =
                Optional.ofNullable(resource.getStatus())
                        .map(FlinkSessionJobStatus::of)
                        .orElse(FlinkSessionJobStatus.NEW);
        return new FlinkDeploymentStatus(
                status.jobStatus(),
                status.error(),
                status.observedGeneration(),
                status.lifecycleState(),
                Map.of(),
                JobManagerDeploymentState.READY,
                status.reconciliationStatus(),
                TaskManagerStatus.NONE,
                status.attempt(),
                status.lastUpgrade(),
                status.conditions());
    }

    /** Returns a new object. */
    static ObjectNode render(FlinkDeploymentStatus status, ObjectNode stored) {
        return new FlinkSessionJobStatus(
                        status.jobStatus(),
                        status.error(),
                        status.observedGeneration(),
                        status.lifecycleState(),
                        status.reconciliationStatus(),
                        status.attempt(),
                        status.lastUpgrade(),
                        status.conditions())
                .onto(stored);
    }
}
