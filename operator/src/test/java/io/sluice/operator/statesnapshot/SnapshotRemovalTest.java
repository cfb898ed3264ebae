// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static io.sluice.operator.statesnapshot.Snapshot.CLEANUP;
import static io.sluice.operator.statesnapshot.Snapshot.aCheckpoint;
import static io.sluice.operator.statesnapshot.Snapshot.aRegistration;
import static io.sluice.operator.statesnapshot.Snapshot.aSavepoint;
import static io.sluice.operator.statesnapshot.Snapshot.done;
import static io.sluice.operator.statesnapshot.Snapshot.failed;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every way in which a snapshot that is being deleted goes. */
class SnapshotRemovalTest {
    private static final String PATH = "s3://b/savepoints/savepoint-1";
    private static final SnapshotAction DISPOSE =
            new SnapshotAction.Ask(new Action.DisposeSavepoint(PATH));

    @Test
    void letsGoAtOnceWhatHasNothingToDisposeOf() {
        var kept =
                "{jobReference: {kind: FlinkDeployment, name: orders},"
                        + " savepoint: {disposeOnDelete: false}}";
        for (Snapshot snapshot :
                List.of(
                        aSavepoint(),
                        aSavepoint().in(SnapshotState.FAILED),
                        aSavepoint().in(SnapshotState.ABANDONED),
                        aSavepoint().in(SnapshotState.COMPLETED),
                        aCheckpoint().asked(),
                        aCheckpoint().asked().answering(done("file:/chk-1")).decided(),
                        aSavepoint().completed().withSpec(kept))) {
            assertThat(snapshot.held().deleted().decide().releases()).isTrue();
            assertThat(snapshot.held().deleted().decide().status())
                    .isEqualTo(snapshot.observed().status());
        }
    }

    @Test
    void saysThatTheFilesOfARegisteredSavepointStay() {
        var released = aRegistration().decided().deleted().decide();

        assertThat(released.releases()).isTrue();
        assertThat(messages(released)).singleElement().asString().contains("s3://b/s-1");
    }

    @Test
    void recordsTheDisposalBeforeItAsksAndGoesOnceTheFilesAreGone() {
        var deleted = aSavepoint().completed().deleted();

        assertThat(deleted.decide().actions()).containsExactly(DISPOSE);
        assertThat(deleted.decide().status().deletion()).isPresent();
        assertThat(deleted.decide().reason()).isEqualTo(Reason.SNAPSHOT_DISPOSING);
        var asked = deleted.decided();
        assertThat(asked.disposing(new DisposalResult.Pending()).decide().releases()).isFalse();
        assertThat(asked.disposing(new DisposalResult.Pending()).decide().actions()).isEmpty();
        assertThat(asked.disposing(new DisposalResult.Deleted()).decide().releases()).isTrue();
    }

    @Test
    void asksAgainForADisposalThatNobodyKnowsOf() {
        var asked = aSavepoint().completed().deleted().decided();

        assertThat(asked.decide().actions()).containsExactly(DISPOSE);
        assertThat(asked.disposing(new DisposalResult.Unknown()).decide().actions())
                .containsExactly(DISPOSE);
        assertThat(asked.disposing(new DisposalResult.Silent("timed out")).decide().actions())
                .isEmpty();
    }

    @Test
    void triesAFailedDisposalAgainUntilTheDeadlineAndThenNamesTheFiles() {
        var failing =
                aSavepoint()
                        .completed()
                        .deleted()
                        .decided()
                        .disposing(new DisposalResult.Failed("denied"));

        assertThat(messages(failing.decide())).singleElement().asString().contains("denied");
        var waiting = failing.decided();
        assertThat(waiting.decide().actions()).isEmpty();
        var again = waiting.later(Duration.ofSeconds(1));
        assertThat(again.decide().actions()).containsExactly(DISPOSE);
        var second = again.decided();
        assertThat(second.decide().events()).isEmpty();
        assertThat(second.decided().later(Duration.ofSeconds(4)).decide().actions()).isEmpty();
        assertThat(second.decided().later(Duration.ofSeconds(5)).decide().actions())
                .containsExactly(DISPOSE);
        SnapshotDecision late = second.decided().later(CLEANUP).decide();
        assertThat(late.releases()).isTrue();
        assertThat(late.reason()).isEqualTo(Reason.SNAPSHOT_DISPOSAL_GIVEN_UP);
        assertThat(messages(late)).singleElement().asString().contains(PATH, "denied", "by hand");
    }

    @Test
    void goesAtTheDeadlineWhereNoJobManagerAnswers() {
        var deleted = aSavepoint().completed().deleted().with(new SnapshotTarget.Gone());

        assertThat(deleted.decide().releases()).isFalse();
        SnapshotDecision late =
                deleted.decided().later(CLEANUP).disposing(new DisposalResult.NotAsked()).decide();
        assertThat(late.releases()).isTrue();
        assertThat(messages(late)).singleElement().asString().contains(PATH);
    }

    @Test
    void countsTheDeadlineFromWhenItBeganAndNotFromWhenTheSnapshotWasMade() {
        var old = aSavepoint().completed().later(Duration.ofDays(30)).deleted();

        assertThat(old.decide().releases()).isFalse();
        assertThat(old.decided().later(CLEANUP.minusMillis(1)).decide().releases()).isFalse();
    }

    @Test
    void keepsTheFilesThatAJobNeeds() {
        var needed = aSavepoint().completed().deleted().needed(new Need.Needed("orders needs it"));

        assertThat(needed.decide().releases()).isTrue();
        assertThat(needed.decide().actions()).doesNotContain(DISPOSE);
        assertThat(messages(needed.decide()))
                .singleElement()
                .asString()
                .contains(PATH, "orders needs it");
        var meanwhile = aSavepoint().completed().deleted().decided();
        assertThat(meanwhile.needed(new Need.Needed("orders needs it")).decide().actions())
                .doesNotContain(DISPOSE);
    }

    @Test
    void keepsTheFilesWhileNobodyKnowsWhetherTheyAreNeeded() {
        var unread = aSavepoint().completed().deleted().needed(new Need.Unread());

        assertThat(unread.decide().actions()).isEmpty();
        SnapshotDecision late = unread.decided().later(CLEANUP).decide();
        assertThat(late.releases()).isTrue();
        assertThat(late.actions()).doesNotContain(DISPOSE);
    }

    @Test
    void waitsForASavepointInProgressAndThenDisposesOfIt() {
        var deleted = aSavepoint().asked().deleted().answering(new AsyncResult.Pending());

        assertThat(deleted.decide().releases()).isFalse();
        var done = deleted.decided().answering(done(PATH)).decided();
        assertThat(done.observed().status().state()).isEqualTo(SnapshotState.COMPLETED);
        assertThat(done.decide().actions()).containsExactly(DISPOSE);
    }

    @Test
    void givesASavepointInProgressUpAtTheDeadlineAndSaysWhereItMayBe() {
        var deleted = aSavepoint().asked().deleted().answering(new AsyncResult.Pending());
        String triggerId = deleted.observed().status().triggerId().orElseThrow();

        SnapshotDecision late = deleted.decided().later(CLEANUP).decide();

        assertThat(late.releases()).isTrue();
        assertThat(late.events())
                .extracting(ResourceEvent::reason)
                .containsExactly("CleanupFailed");
        assertThat(messages(late))
                .singleElement()
                .asString()
                .contains(triggerId, "s3://b/savepoints");
    }

    @Test
    void makesNoOtherTryOnceItIsDeleted() {
        var deleted = aSavepoint().asked().deleted();

        assertThat(deleted.answering(failed("disk full")).decide().releases()).isTrue();
        SnapshotDecision unknown = deleted.answering(new AsyncResult.Unknown()).decide();
        assertThat(unknown.actions()).containsExactly(new SnapshotAction.Release());
        assertThat(unknown.events()).hasSize(1);
    }

    private static List<String> messages(SnapshotDecision decision) {
        return decision.events().stream().map(ResourceEvent::message).toList();
    }
}
