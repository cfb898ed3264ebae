// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;

/**
 * A checkpoint or savepoint of a job.
 *
 * @param id grows with each one of the job, savepoints included
 * @param path where it is, in Flink's words; see {@link #isAddressable}
 * @param at when it was complete, or when the job was restored from it
 * @param discarded whether Flink has deleted it
 */
public record CheckpointRef(long id, String path, Instant at, boolean discarded) {
    /** Whether a job can be started from it: Flink keeps some checkpoints in memory only. */
    public boolean isAddressable() {
        return !path.startsWith("<") && !discarded;
    }
}
