// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Optional;

/**
 * A checkpoint or savepoint that a job is making, as {@code GET /jobs/:id/checkpoints} tells of it.
 *
 * @param isSavepoint whether it is a savepoint
 * @param since when it was begun, by the JobManager's clock
 * @param subtasks how many have to acknowledge it; 0 if Flink does not say
 * @param acknowledged how many of them have
 */
public record CheckpointInProgress(
        boolean isSavepoint, Instant since, int subtasks, int acknowledged) {
    /** The share of the subtasks that have acknowledged it, from 0 to 1. */
    public Optional<Double> acknowledgedRatio() {
        return subtasks > 0 && acknowledged >= 0
                ? Optional.of(Math.min(1, (double) acknowledged / subtasks))
                : Optional.empty();
    }
}
