// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Optional;

/**
 * A checkpoint or savepoint of a job.
 *
 * @param id grows with each one of the job, savepoints included
 * @param path where it is, in Flink's words; see {@link #isAddressable} and {@link #isPathTold}
 * @param at when it was complete, or when the job was restored from it
 * @param discarded whether Flink has deleted it
 * @param bytes of the whole state, what it shares with earlier ones included; empty if Flink does
 *     not say
 */
public record CheckpointRef(
        long id, String path, Instant at, boolean discarded, Optional<Long> bytes) {
    /** Stands for the path of a checkpoint of which Flink has told none. */
    public static final String UNTOLD = "<unknown>";

    /** One whose size nobody asks for. */
    public CheckpointRef(long id, String path, Instant at, boolean discarded) {
        this(id, path, at, discarded, Optional.empty());
    }

    /**
     * Whether Flink has told where it is. For up to three seconds after it is complete Flink may
     * answer as if it were still being made.
     */
    public boolean isPathTold() {
        return !path.equals(UNTOLD);
    }

    /** Whether a job can be started from it: Flink keeps some checkpoints in memory only. */
    public boolean isAddressable() {
        return !path.startsWith("<") && !discarded;
    }
}
