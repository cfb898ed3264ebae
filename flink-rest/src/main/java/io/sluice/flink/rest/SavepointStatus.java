// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.util.Optional;

/**
 * What has come of a stop or a savepoint: {@code GET /jobs/:id/savepoints/:triggerId}.
 *
 * <pre>
 *   asked ─▶ InProgress ─▶ Completed | Failed
 *     └── JobManager restarted, or never asked ─▶ Unknown
 * </pre>
 */
public sealed interface SavepointStatus {
    record InProgress() implements SavepointStatus {}

    /**
     * @param location where the savepoint is
     */
    record Completed(String location) implements SavepointStatus {}

    /**
     * @param message Flink's own words, one line
     * @param location where a savepoint is nevertheless: it was written, and the job failed to stop
     *     after it
     */
    record Failed(String message, Optional<String> location) implements SavepointStatus {}

    /** This JobManager's process was never asked under that id. */
    record Unknown() implements SavepointStatus {}
}
