// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static io.sluice.operator.statesnapshot.Snapshot.aCheckpoint;
import static io.sluice.operator.statesnapshot.Snapshot.aRegistration;
import static io.sluice.operator.statesnapshot.Snapshot.aSavepoint;
import static io.sluice.operator.statesnapshot.Snapshot.busy;
import static io.sluice.operator.statesnapshot.Snapshot.failed;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.snapshot.SnapshotState;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotMarksTest {
    @Test
    void labelsASnapshotAndHoldsItBeforeFlinkIsAsked() {
        SnapshotDecision decision = aSavepoint().decide();

        assertThat(decision.actions().getFirst())
                .isEqualTo(
                        new SnapshotAction.Mark(
                                Map.of(
                                        "snapshot.type", "SAVEPOINT",
                                        "snapshot.trigger-type", "MANUAL",
                                        "snapshot.state", "IN_PROGRESS",
                                        "job-reference.kind", "FlinkDeployment",
                                        "job-reference.name", "orders"),
                                true));
        assertThat(decision.actions()).hasSize(2);
    }

    @Test
    void labelsFollowEveryStateFailuresIncluded() {
        var over = aSavepoint().withLimit(0).asked().answering(failed("disk full"));

        assertThat(mark(over))
                .contains(new SnapshotAction.Mark(Map.of("snapshot.state", "FAILED"), false));
        assertThat(mark(over.decided())).isEmpty();
        assertThat(mark(aSavepoint().asked().with(busy()).in(SnapshotState.COMPLETED)))
                .as("stale labels are corrected at rest")
                .isPresent();
    }

    @Test
    void keepsTheTriggerTypeThatSomebodyHasSet() {
        var periodic = aSavepoint().labelled("snapshot.trigger-type", "PERIODIC");

        assertThat(mark(periodic).orElseThrow().labels())
                .doesNotContainKey("snapshot.trigger-type");
    }

    @Test
    void namesNoJobThatWasNotFoundAndNoneWhoseNameIsTooLong() {
        assertThat(mark(aSavepoint().with(new SnapshotTarget.Gone())).orElseThrow().labels())
                .doesNotContainKeys("job-reference.kind", "job-reference.name");
        var spec =
                "{jobReference: {kind: FlinkSessionJob, name: %s}, savepoint: {}}"
                        .formatted("a".repeat(64));
        assertThat(mark(Snapshot.of(spec)).orElseThrow().labels())
                .containsKey("job-reference.kind")
                .doesNotContainKey("job-reference.name");
    }

    @Test
    void takesTheFinalizerOfAnotherOperatorOffWhatHasNothingToDisposeOf() {
        assertThat(mark(aCheckpoint().completed().held()).orElseThrow().isHeld()).isFalse();
        assertThat(mark(aRegistration().decided().held()).orElseThrow().isHeld()).isFalse();
        assertThat(mark(aSavepoint().decided().in(SnapshotState.ABANDONED)).orElseThrow().isHeld())
                .isFalse();
        assertThat(mark(aSavepoint().completed())).isEmpty();
        assertThat(aSavepoint().completed().observed().isHeld()).isTrue();
    }

    @Test
    void marksNothingThatIsBeingDeleted() {
        assertThat(mark(aSavepoint().completed().labelled("snapshot.state", "no").deleted()))
                .isEmpty();
    }

    private static Optional<SnapshotAction.Mark> mark(Snapshot snapshot) {
        return snapshot.decide().actions().stream()
                .filter(SnapshotAction.Mark.class::isInstance)
                .map(SnapshotAction.Mark.class::cast)
                .findFirst();
    }
}
