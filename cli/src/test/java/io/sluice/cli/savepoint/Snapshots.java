// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.Condition;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Statuses of snapshots as the operator writes them. */
final class Snapshots {
    static final FlinkStateSnapshotStatus IN_PROGRESS =
            status(
                    SnapshotState.IN_PROGRESS,
                    "SnapshotInProgress",
                    "Flink was asked for the snapshot.",
                    false);
    static final FlinkStateSnapshotStatus COMPLETED =
            status(
                            SnapshotState.COMPLETED,
                            "SnapshotCompleted",
                            "The snapshot is complete. s3://b/savepoint-1",
                            false)
                    .withPath(Optional.of("s3://b/savepoint-1"));
    static final FlinkStateSnapshotStatus FAILED =
            status(
                            SnapshotState.FAILED,
                            "SnapshotFailed",
                            "The snapshot has failed as often as spec.backoffLimit allows.",
                            true)
                    .withFailures(5)
                    .withError(
                            Optional.of(
                                    "{\"type\":\"SnapshotFailed\",\"message\":\"No space left.\"}"));
    static final FlinkStateSnapshotStatus ABANDONED =
            status(SnapshotState.ABANDONED, "SnapshotAbandoned", "The job did not run.", true)
                    .withError(Optional.of("The job is suspended."));
    static final FlinkStateSnapshotStatus UNSUPPORTED =
            status(
                    SnapshotState.TRIGGER_PENDING,
                    "SnapshotUnsupported",
                    "Set execution.checkpointing.savepoint-dir.",
                    true);

    private Snapshots() {}

    static FlinkStateSnapshotStatus status(
            SnapshotState state, String reason, String message, boolean isStalled) {
        return FlinkStateSnapshotStatus.NEW
                .with()
                .state(state)
                .observedGeneration(Optional.of(1L))
                .conditions(
                        List.of(
                                condition(
                                        "Ready", state == SnapshotState.COMPLETED, reason, message),
                                condition("Stalled", isStalled, reason, message)))
                .build();
    }

    private static Condition condition(String type, boolean holds, String reason, String message) {
        return new Condition(
                type,
                holds ? Condition.Status.TRUE : Condition.Status.FALSE,
                reason,
                message,
                Instant.parse("2026-03-01T12:00:00Z"),
                Optional.of(1L));
    }

    static SnapshotView view(FlinkStateSnapshotStatus status) {
        return SnapshotView.of(resource(status, 1));
    }

    static FlinkStateSnapshot resource(FlinkStateSnapshotStatus status, long generation) {
        var snapshot = new FlinkStateSnapshot();
        snapshot.setMetadata(new ObjectMetaBuilder().withGeneration(generation).build());
        snapshot.setStatus(status.onto(JsonNodeFactory.instance.objectNode()));
        return snapshot;
    }
}
