// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.Interruption;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LastUpgrade;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.StopStatus;
import java.time.Instant;
import java.util.Optional;

/** What a status that replaces another one may say of the downtime of an upgrade. */
final class SimulatedDowntime {
    private SimulatedDowntime() {}

    /** What is wrong with {@code after}, which is stored at {@code now}; empty if nothing is. */
    static Optional<String> wrong(ObjectNode before, ObjectNode after, Instant now) {
        FlinkDeploymentStatus former = FlinkDeploymentStatus.of(before);
        FlinkDeploymentStatus next = FlinkDeploymentStatus.of(after);
        if (next.attempt().interruption().isPresent() && runs(next)) {
            return Optional.of("a job that runs is said to be down");
        }
        return next.lastUpgrade()
                .filter(upgrade -> !former.lastUpgrade().equals(Optional.of(upgrade)))
                .filter(upgrade -> !follows(upgrade, former.attempt().interruption(), now))
                .map(upgrade -> "a downtime that was none: " + upgrade);
    }

    private static boolean runs(FlinkDeploymentStatus status) {
        ReconciliationState state = status.reconciliationStatus().state();
        return status.jobStatus().state().equals(Optional.of(JobState.RUNNING))
                && (state == ReconciliationState.DEPLOYED
                        || state == ReconciliationState.ROLLED_BACK)
                && status.attempt().stop().filter(StopStatus::isUnderWay).isEmpty();
    }

    private static boolean follows(
            LastUpgrade upgrade, Optional<Interruption> interruption, Instant now) {
        return interruption.map(Interruption::since).equals(Optional.of(upgrade.stopRequested()))
                && !upgrade.downtime().isNegative()
                && !upgrade.running().isAfter(now);
    }
}
