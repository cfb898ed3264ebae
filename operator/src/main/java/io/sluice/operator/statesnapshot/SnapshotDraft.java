// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Reason.Outlook;
import io.sluice.operator.model.ResourceEvent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the steps of one decision hand on; nothing in it is mutable. */
@RecordBuilder
record SnapshotDraft(
        SnapshotObservedState observed,
        FlinkStateSnapshotStatus status,
        List<SnapshotAction> actions,
        List<ResourceEvent> events)
        implements SnapshotDraftBuilder.With {
    /** Soon enough for people, and late enough for the caches. */
    static final Duration SOON = Duration.ofMillis(200);

    SnapshotDraft {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }

    static SnapshotDraft of(SnapshotObservedState observed) {
        return new SnapshotDraft(observed, observed.status(), List.of(), List.of());
    }

    SnapshotDraft doing(SnapshotAction action) {
        List<SnapshotAction> more = new ArrayList<>(actions);
        more.add(action);
        return withActions(more);
    }

    SnapshotDraft withEvent(ResourceEvent event) {
        List<ResourceEvent> more = new ArrayList<>(events);
        more.add(event);
        return withEvents(more);
    }

    /** After the pause of what is in progress. */
    SnapshotDecision inProgress(Reason reason, String detail) {
        return decide(reason, detail, Optional.of(observed.polls().progress()));
    }

    /** Only a change of the resource can change anything. */
    SnapshotDecision atRest(Reason reason, String detail) {
        return decide(reason, detail, Optional.empty());
    }

    SnapshotDecision decide(Reason reason, String detail, Optional<Duration> checkAgain) {
        SnapshotDraft told = withStatus(status.withError(error(reason, detail)));
        SnapshotDraft marked =
                SnapshotMarks.stale(told)
                        .map(mark -> told.withActions(before(mark, told.actions())))
                        .orElse(told);
        return new SnapshotDecision(
                reason, detail, marked.status(), marked.actions(), marked.events(), checkAgain);
    }

    /** The finalizer has to be there before Flink makes what it is there for. */
    private static List<SnapshotAction> before(SnapshotAction first, List<SnapshotAction> actions) {
        List<SnapshotAction> all = new ArrayList<>(List.of(first));
        all.addAll(actions);
        return all;
    }

    /** What keeps a snapshot from its first try is an error only until it does so no more. */
    private Optional<String> error(Reason reason, String detail) {
        if (status.state() != SnapshotState.TRIGGER_PENDING) {
            return status.error();
        }
        if (reason.outlook() == Outlook.STALLED) {
            return Optional.of(SnapshotStatusRenderer.error(reason, detail));
        }
        return status.error().filter(_ -> status.failures() > 0);
    }
}
