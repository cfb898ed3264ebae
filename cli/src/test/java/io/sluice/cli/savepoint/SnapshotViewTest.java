// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.status.snapshot.SnapshotState;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotViewTest {
    @Test
    void aLineHasTheStateTheReasonAndWhatItMeans() {
        assertThat(Snapshots.view(Snapshots.IN_PROGRESS).line())
                .isEqualTo("IN_PROGRESS SnapshotInProgress: Flink was asked for the snapshot.");
    }

    @Test
    void whatIsAtRestIsExplainedAtTheEndOnly() {
        assertThat(Snapshots.view(Snapshots.FAILED).line()).isEqualTo("FAILED SnapshotFailed");
    }

    @Test
    void anotherOperatorWritesNoConditions() {
        SnapshotView view = Snapshots.view(Snapshots.FAILED.withConditions(List.of()));

        assertThat(view.line()).isEqualTo("FAILED");
        assertThat(view.error()).isEqualTo("No space left.");
        assertThat(view.isAtRest()).isTrue();
    }

    @Test
    void aStatusThatNobodyHasWrittenIsNotObserved() {
        FlinkStateSnapshot created = Snapshots.resource(Snapshots.IN_PROGRESS, 1);
        created.setStatus(JsonNodeFactory.instance.objectNode());

        assertThat(SnapshotView.of(created).isObserved()).isFalse();
        assertThat(Snapshots.view(Snapshots.IN_PROGRESS).isObserved()).isTrue();
    }

    @Test
    void aSnapshotThatHasToBeCorrectedIsAtRestUntilItIs() {
        FlinkStateSnapshot corrected = Snapshots.resource(Snapshots.UNSUPPORTED, 2);

        assertThat(Snapshots.view(Snapshots.UNSUPPORTED).isAtRest()).isTrue();
        assertThat(SnapshotView.of(corrected).isAtRest()).isFalse();
    }

    @Test
    void aSnapshotThatIsBeingDeletedIsNotAtRest() {
        FlinkStateSnapshot deleting = Snapshots.resource(Snapshots.COMPLETED, 1);
        deleting.getMetadata().setDeletionTimestamp("2026-03-01T12:00:00Z");

        assertThat(SnapshotView.of(deleting).isAtRest()).isFalse();
        assertThat(SnapshotView.of(deleting).line()).endsWith("is being deleted");
    }

    @Test
    void aMessageThatChangesWithTheTimeIsNoNews() {
        SnapshotView waiting = waiting("It waits until 12:00.");

        assertThat(waiting("It waits until 12:01.").isNewsAfter(waiting)).isFalse();
        assertThat(Snapshots.view(Snapshots.IN_PROGRESS).isNewsAfter(waiting)).isTrue();
        assertThat(Snapshots.view(Snapshots.UNSUPPORTED).isNewsAfter(waiting)).isTrue();
    }

    private static SnapshotView waiting(String message) {
        return Snapshots.view(
                Snapshots.status(SnapshotState.TRIGGER_PENDING, "WaitingForJob", message, false));
    }
}
