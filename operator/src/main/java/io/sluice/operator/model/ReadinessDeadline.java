// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.ReconciliationStatus;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.time.Instant;

/**
 * By when a changed spec has to be stable, see {@code
 * kubernetes.operator.deployment.readiness.timeout}.
 */
public final class ReadinessDeadline {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    private ReadinessDeadline() {}

    /**
     * Whether the last reconciled spec has not become stable in time.
     *
     * @param running the effective configuration of that spec
     * @return false for a resource that is stable, or that has never been
     */
    public static boolean hasPassed(FlinkDeploymentStatus status, Options running, Instant now) {
        ReconciliationStatus reconciliation = status.reconciliationStatus();
        Duration timeout =
                running.duration(
                        "kubernetes.operator.deployment.readiness.timeout", DEFAULT_TIMEOUT);
        return running.flag("kubernetes.operator.deployment.rollback.enabled", false)
                && !status.attempt().rolledBack()
                && !reconciliation.isStable()
                && reconciliation.lastStableSpec().isPresent()
                && reconciliation
                        .reconciliationTimestamp()
                        .filter(since -> since.plus(timeout).isBefore(now))
                        .isPresent();
    }
}
