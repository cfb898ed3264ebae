// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.rules.config.Options;
import java.time.Duration;
import java.util.Optional;

/**
 * What a job's health is held against, by {@code kubernetes.operator.cluster.health-check.*}
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
    private static final String PREFIX = "kubernetes.operator.cluster.health-check.";
    private static final Duration RESTART_WINDOW = Duration.ofMinutes(2);
    private static final int MOST_RESTARTS = 64;
    private static final Duration CHECKPOINT_TIMEOUT = Duration.ofMinutes(10);

    public static HealthThresholds of(Options running) {
        return new HealthThresholds(
                running.flag(PREFIX + "enabled", false),
                running.duration(PREFIX + "restarts.window", RESTART_WINDOW),
                running.number(PREFIX + "restarts.threshold", MOST_RESTARTS),
                running.flag(PREFIX + "checkpoint-progress.enabled", true)
                        ? checkpoints(running)
                        : Optional.empty());
    }

    /**
     * Never shorter than checkpoints that are tolerated to fail may take: {@code max(interval,
     * timeout) * (tolerable failures + 2)}.
     */
    private static Optional<Duration> checkpoints(Options running) {
        Optional<Duration> asked = running.duration(PREFIX + "checkpoint-progress.window");
        Optional<Duration> interval = running.duration("execution.checkpointing.interval");
        if (asked.isEmpty() && interval.isEmpty()) {
            return Optional.empty();
        }
        Duration timeout = running.duration("execution.checkpointing.timeout", CHECKPOINT_TIMEOUT);
        Duration longest = interval.filter(it -> it.compareTo(timeout) > 0).orElse(timeout);
        int tolerable =
                Math.max(
                        0,
                        running.number("execution.checkpointing.tolerable-failed-checkpoints", 0));
        Duration least = longest.multipliedBy(tolerable + 2L);
        return Optional.of(asked.filter(it -> it.compareTo(least) >= 0).orElse(least));
    }
}
