// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.TriggerType;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The labels of a snapshot and its finalizer (docs/contract/snapshots.md, section 1): what they are
 * to be after a decision.
 */
final class SnapshotMarks {
    static final String FINALIZER = "flinkstatesnapshots.flink.apache.org/finalizer";

    private SnapshotMarks() {}

    /** What has to change; empty if all is as it is to be, or the resource is being deleted. */
    static Optional<SnapshotAction.Mark> stale(SnapshotDraft draft) {
        SnapshotObservedState observed = draft.observed();
        if (observed.identity().deleting()) {
            return Optional.empty();
        }
        Map<String, String> labels = labels(observed, draft.status());
        labels.entrySet().removeIf(it -> it.getValue().equals(observed.labels().get(it.getKey())));
        boolean isHeld = needsFinalizer(observed, draft.status());
        return labels.isEmpty() && isHeld == observed.isHeld()
                ? Optional.empty()
                : Optional.of(new SnapshotAction.Mark(labels, isHeld));
    }

    private static Map<String, String> labels(
            SnapshotObservedState observed, FlinkStateSnapshotStatus status) {
        Map<String, String> labels = new TreeMap<>();
        labels.put(
                FlinkStateSnapshot.TYPE_LABEL,
                observed.spec().checkpoint() ? "CHECKPOINT" : "SAVEPOINT");
        labels.put(
                FlinkStateSnapshot.TRIGGER_TYPE_LABEL,
                observed.labels()
                        .getOrDefault(
                                FlinkStateSnapshot.TRIGGER_TYPE_LABEL, TriggerType.MANUAL.wire()));
        labels.put(FlinkStateSnapshot.STATE_LABEL, status.state().wire());
        if (observed.target().isFound()) {
            observed.spec()
                    .jobReference()
                    .map(FlinkStateSnapshot::jobLabels)
                    .ifPresent(labels::putAll);
        }
        return labels;
    }

    /** Nothing but a savepoint that goes with its resource keeps that from going. */
    private static boolean needsFinalizer(
            SnapshotObservedState observed, FlinkStateSnapshotStatus status) {
        return observed.disposes()
                && switch (status.state()) {
                    case IN_PROGRESS -> true;
                    case COMPLETED -> status.path().filter(path -> !path.isEmpty()).isPresent();
                    case TRIGGER_PENDING, FAILED, ABANDONED -> false;
                };
    }
}
