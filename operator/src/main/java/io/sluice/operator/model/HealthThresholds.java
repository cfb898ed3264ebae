// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * The thresholds of a job's health, by {@code kubernetes.operator.cluster.health-check.*}
 * (docs/contract/reconciler.md, section 10, and docs/contract/configuration.md, section 3).
 *
 * @param restartWindow over which restarts are counted
 * @param mostRestarts in that window; one more is unhealthy
 * @param checkpointWindow without a new checkpoint that is unhealthy; empty if checkpoints are not
 *     looked at
 */
public record HealthThresholds(
        boolean enabled,
        Duration restartWindow,
        int mostRestarts,
        Optional<Duration> checkpointWindow) {
    public static HealthThresholds of(Options running) {
        return new HealthThresholds(
                running.get(LifecycleOptions.HEALTH_CHECK),
                running.get(LifecycleOptions.RESTARTS_WINDOW),
                running.get(LifecycleOptions.RESTARTS_THRESHOLD),
                running.get(LifecycleOptions.CHECKPOINT_PROGRESS)
                        ? checkpoints(running)
                        : Optional.empty());
    }

    /**
     * Never shorter than checkpoints that are tolerated to fail may take: {@code max(interval,
     * timeout) * (tolerable failures + 2)}.
     */
    private static Optional<Duration> checkpoints(Options running) {
        Optional<Duration> asked = running.get(LifecycleOptions.CHECKPOINT_PROGRESS_WINDOW);
        Optional<Duration> interval = running.get(FlinkOptions.CHECKPOINT_INTERVAL);
        if (asked.isEmpty() && interval.isEmpty()) {
            return Optional.empty();
        }
        Duration timeout = running.get(FlinkOptions.CHECKPOINT_TIMEOUT);
        Duration longest = interval.filter(it -> it.compareTo(timeout) > 0).orElse(timeout);
        int tolerable = Math.max(0, running.get(FlinkOptions.TOLERABLE_FAILED_CHECKPOINTS));
        Duration least = longest.multipliedBy(tolerable + 2L);
        return Optional.of(asked.filter(it -> it.compareTo(least) >= 0).orElse(least));
    }
}
