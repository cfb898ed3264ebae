// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.Condition;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.cli.cluster.StatusError;
import java.util.Optional;

/**
 * What a FlinkStateSnapshot says of itself. Texts are empty where it says nothing.
 *
 * @param isObserved whether an operator has written a status
 * @param isDeleting whether it is being deleted
 * @param isStalled whether no more comes of it before somebody corrects something
 * @param reason of the condition Ready
 * @param message of the condition Ready
 * @param error what Flink or the operator says of the last failure
 * @param path where it is; empty if it is not complete, or Flink does not say where
 */
record SnapshotView(
        SnapshotState state,
        boolean isObserved,
        boolean isDeleting,
        boolean isStalled,
        String reason,
        String message,
        String error,
        int failures,
        String path) {
    static SnapshotView of(FlinkStateSnapshot snapshot) {
        FlinkStateSnapshotStatus status =
                Optional.ofNullable(snapshot.getStatus())
                        .map(FlinkStateSnapshotStatus::of)
                        .orElse(FlinkStateSnapshotStatus.NEW);
        long generation = Optional.ofNullable(snapshot.getMetadata().getGeneration()).orElse(0L);
        Optional<Condition> ready = status.condition("Ready");
        return new SnapshotView(
                status.state(),
                Optional.ofNullable(snapshot.getStatus()).filter(it -> !it.isEmpty()).isPresent(),
                snapshot.getMetadata().getDeletionTimestamp() != null,
                status.condition("Stalled")
                        .filter(it -> it.status() == Condition.Status.TRUE)
                        .filter(it -> it.observedGeneration().orElse(generation) == generation)
                        .isPresent(),
                ready.map(Condition::reason).orElse(""),
                ready.map(Condition::message).orElse(""),
                status.error().map(StatusError::text).orElse(""),
                status.failures(),
                status.path().orElse(""));
    }

    /** Whether there is nothing more to wait for. */
    boolean isAtRest() {
        return !isDeleting && (state.isAtRest() || isStalled);
    }

    /** Whether it is worth a line of its own after {@code former}. */
    boolean isNewsAfter(SnapshotView former) {
        return state != former.state
                || isDeleting != former.isDeleting
                || !reason.equals(former.reason);
    }

    /** One line for people. */
    String line() {
        String text = reason.isEmpty() ? state.wire() : state.wire() + " " + reason;
        if (isDeleting) {
            return text + ", is being deleted";
        }
        return isAtRest() || message.isEmpty() ? text : text + ": " + message;
    }
}
