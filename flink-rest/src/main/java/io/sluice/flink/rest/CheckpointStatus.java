// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/**
 * What has come of a checkpoint that was asked for: {@code GET /jobs/:id/checkpoints/:triggerId}.
 *
 * <pre>
 *   asked ─▶ InProgress ─▶ Completed | Failed
 *     └── JobManager restarted, or never asked ─▶ Unknown
 * </pre>
 */
public sealed interface CheckpointStatus {
    record InProgress() implements CheckpointStatus {}

    record Completed(long id) implements CheckpointStatus {}

    /**
     * @param message Flink's own words, one line
     */
    record Failed(String message) implements CheckpointStatus {}

    /** This JobManager's process was never asked under that id. */
    record Unknown() implements CheckpointStatus {}
}
