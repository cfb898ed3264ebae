// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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
 * @param inProgress those that are being made, savepoints included
 */
public record Checkpoints(
        Optional<CheckpointRef> completed,
        Optional<CheckpointRef> savepoint,
        Optional<CheckpointRef> restored,
        List<CheckpointInProgress> inProgress) {
    /** Of a job without checkpointing. */
    public static final Checkpoints NONE =
            new Checkpoints(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public Checkpoints {
        inProgress = List.copyOf(inProgress);
    }

    /** When the oldest that is being made was begun. */
    public Optional<Instant> pendingSince() {
        return inProgress.stream().map(CheckpointInProgress::since).min(Comparator.naturalOrder());
    }

    /**
     * The oldest savepoint, or the oldest checkpoint that is none, that is being made. Flink does
     * not tell who asked for it.
     */
    public Optional<CheckpointInProgress> oldestInProgress(boolean isSavepoint) {
        return inProgress.stream()
                .filter(it -> it.isSavepoint() == isSavepoint)
                .min(Comparator.comparing(CheckpointInProgress::since));
    }

    /** The newest state of the job: ids come from one counter, so the greatest is the last. */
    public Optional<CheckpointRef> latest() {
        return Stream.of(completed, savepoint, restored)
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(CheckpointRef::id));
    }
}
