// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import io.sluice.rules.config.Redaction;
import java.net.URI;
import java.util.Optional;

/**
 * The job of a snapshot as it was found.
 *
 * @param jobId as the resource's status has it
 * @param at where its JobManager answers; empty if there is none that can
 * @param redaction hides what the job's configuration has of secrets
 */
record SnapshotJob(
        SnapshotTarget target,
        Optional<String> jobId,
        Optional<URI> at,
        JobOptions options,
        Redaction redaction) {
    /** No resource was found. */
    static SnapshotJob without(SnapshotTarget target, Redaction redaction) {
        return new SnapshotJob(
                target, Optional.empty(), Optional.empty(), JobOptions.NONE, redaction);
    }
}
