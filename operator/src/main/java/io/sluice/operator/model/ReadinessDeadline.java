// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.ReconciliationStatus;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.time.Instant;

/**
 * By when a changed spec has to be stable, see {@code
 * kubernetes.operator.deployment.readiness.timeout}.
 */
public final class ReadinessDeadline {
    private ReadinessDeadline() {}

    /**
     * Whether the last reconciled spec has not become stable in time.
     *
     * @param running the effective configuration of that spec
     * @return false for a resource that is stable, or that has never been
     */
    public static boolean hasPassed(FlinkDeploymentStatus status, Options running, Instant now) {
        ReconciliationStatus reconciliation = status.reconciliationStatus();
        Duration timeout = running.get(LifecycleOptions.READINESS_TIMEOUT);
        return running.get(LifecycleOptions.ROLLBACK)
                && !status.attempt().rolledBack()
                && !reconciliation.isStable()
                && reconciliation.lastStableSpec().isPresent()
                && reconciliation
                        .reconciliationTimestamp()
                        .filter(since -> since.plus(timeout).isBefore(now))
                        .isPresent();
    }
}
