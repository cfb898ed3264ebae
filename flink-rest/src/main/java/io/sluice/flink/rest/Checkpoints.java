// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code GET /jobs/:id/checkpoints}, as far as a restart asks for it. It answers for an ended job
 * too, as long as the JobManager's process lives. Flink answers from a cache ({@code
 * rest.cache.checkpoint-statistics.timeout}, 3 s): what it says of an ended job is its last word
 * only when that time has passed since the end.
 *
 * @param completed the last checkpoint that is no savepoint
 * @param savepoint the last savepoint of this process
 * @param restored what the job was last restored from
 * @param pendingSince when the oldest checkpoint that is under way began
 */
public record Checkpoints(
        Optional<CheckpointRef> completed,
        Optional<CheckpointRef> savepoint,
        Optional<CheckpointRef> restored,
        Optional<Instant> pendingSince) {
    /** Of a job without checkpointing. */
    public static final Checkpoints NONE =
            new Checkpoints(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** The newest state of the job: ids come from one counter, so the greatest is the last. */
    public Optional<CheckpointRef> latest() {
        return Stream.of(completed, savepoint, restored)
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(CheckpointRef::id));
    }
}
