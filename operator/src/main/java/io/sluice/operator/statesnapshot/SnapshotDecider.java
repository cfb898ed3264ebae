// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.Reason;

/**
 * What to do about a snapshot: pure and total.
 *
 * <pre>
 *   TRIGGER_PENDING ──▶ recorded, asked for: IN_PROGRESS ──▶ COMPLETED
 *      ▲    │                        │ │
 *      │    │ no job, for too long   │ │ no job, for too long
 *      │    └────────▶ ABANDONED ◀───┘ │
 *      └── after a pause ◀── failed ───┴──▶ FAILED
 * </pre>
 */
final class SnapshotDecider {
    private SnapshotDecider() {}

    static SnapshotDecision decide(SnapshotObservedState observed) {
        SnapshotDraft draft = SnapshotDraft.of(observed);
        if (observed.identity().deleting()) {
            return SnapshotRemoval.decide(draft);
        }
        FlinkStateSnapshotStatus status = observed.status();
        return SnapshotRetention.with(decide(draft, status), observed);
    }

    private static SnapshotDecision decide(SnapshotDraft draft, FlinkStateSnapshotStatus status) {
        return switch (status.state()) {
            case TRIGGER_PENDING -> SnapshotTrigger.decide(draft);
            case IN_PROGRESS -> SnapshotProgress.decide(draft);
            case COMPLETED -> draft.atRest(Reason.SNAPSHOT_COMPLETED, status.path().orElse(""));
            case ABANDONED -> draft.atRest(Reason.SNAPSHOT_ABANDONED, status.error().orElse(""));
            case FAILED -> failed(draft);
        };
    }

    /** If the limit was raised, another try is made, but not after one that restarted the job. */
    private static SnapshotDecision failed(SnapshotDraft draft) {
        FlinkStateSnapshotStatus status = draft.status();
        if (SnapshotFailure.restartsJob(status)) {
            return draft.atRest(Reason.SNAPSHOT_RESTARTS_JOB, "");
        }
        if (SnapshotFailure.isOverLimit(draft.observed().spec(), status)) {
            return draft.atRest(Reason.SNAPSHOT_FAILED, "");
        }
        return SnapshotFailure.retrying(
                draft.withStatus(status.withState(SnapshotState.TRIGGER_PENDING)));
    }
}
