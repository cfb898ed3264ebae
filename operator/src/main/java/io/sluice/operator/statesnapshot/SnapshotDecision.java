// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What to do about a snapshot: first the status is stored, then the actions are performed in order,
 * then the events are recorded.
 *
 * @param detail completes the sentence of the reason
 * @param status without conditions, which follow from the reason
 * @param checkAgain empty if only a change of the resource can change anything
 */
record SnapshotDecision(
        Reason reason,
        String detail,
        FlinkStateSnapshotStatus status,
        List<SnapshotAction> actions,
        List<ResourceEvent> events,
        Optional<Duration> checkAgain) {
    SnapshotDecision {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }

    /** The same with these actions. */
    SnapshotDecision doing(List<SnapshotAction> all) {
        return new SnapshotDecision(reason, detail, status, all, events, checkAgain);
    }

    /** The same, looked at again after {@code time}. */
    SnapshotDecision again(Duration time) {
        return new SnapshotDecision(reason, detail, status, actions, events, Optional.of(time));
    }

    /** Whether nothing is left to do for the resource, which is let go. */
    boolean releases() {
        return actions.contains(new SnapshotAction.Release());
    }
}
