// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static io.sluice.operator.statesnapshot.Snapshot.ANOTHER;
import static io.sluice.operator.statesnapshot.Snapshot.UP;
import static io.sluice.operator.statesnapshot.Snapshot.aCheckpoint;
import static io.sluice.operator.statesnapshot.Snapshot.aRegistration;
import static io.sluice.operator.statesnapshot.Snapshot.aSavepoint;
import static io.sluice.operator.statesnapshot.Snapshot.failed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Reason.Outlook;
import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every state with every job and every answer. */
class SnapshotTotalityTest {
    private static final List<SnapshotTarget> TARGETS =
            Stream.<SnapshotTarget>concat(
                            Stream.of(
                                    new SnapshotTarget.NotRead(),
                                    new SnapshotTarget.Gone(),
                                    new SnapshotTarget.Leaving(),
                                    new SnapshotTarget.AtRest(),
                                    new SnapshotTarget.Ended("the job is FINISHED"),
                                    UP,
                                    ANOTHER),
                            Stream.of(SnapshotTarget.With.values()).map(SnapshotTarget.Busy::new))
                    .toList();

    private static final List<AsyncResult> ANSWERS =
            List.of(
                    new AsyncResult.NotAsked(),
                    new AsyncResult.Silent("timed out"),
                    new AsyncResult.Pending(),
                    new AsyncResult.Done(Optional.empty()),
                    new AsyncResult.NotKept("It is deleted."),
                    Snapshot.done("s3://b/s/1"),
                    failed("disk full"),
                    new AsyncResult.Unknown());

    private static final List<DisposalResult> DISPOSALS =
            List.of(
                    new DisposalResult.NotAsked(),
                    new DisposalResult.Silent("timed out"),
                    new DisposalResult.Pending(),
                    new DisposalResult.Deleted(),
                    new DisposalResult.Failed("denied"),
                    new DisposalResult.Unknown());

    private static final List<Need> NEEDS =
            List.of(new Need.NotNeeded(), new Need.Needed("orders needs it"), new Need.Unread());

    private static final Map<Reason, Snapshot> SITUATIONS =
            Map.of(
                    Reason.SNAPSHOT_WAITING, aSavepoint().with(Snapshot.busy()),
                    Reason.SNAPSHOT_RETRYING, aSavepoint().asked().answering(failed("disk full")),
                    Reason.SNAPSHOT_IN_PROGRESS, aSavepoint(),
                    Reason.SNAPSHOT_COMPLETED, aSavepoint().completed(),
                    Reason.SNAPSHOT_UNSUPPORTED,
                            aSavepoint().with(new JobOptions(Optional.empty(), true)),
                    Reason.SNAPSHOT_FAILED,
                            aSavepoint().withLimit(0).asked().answering(failed("disk full")),
                    Reason.SNAPSHOT_RESTARTS_JOB, thirdRestart(),
                    Reason.SNAPSHOT_ABANDONED, aSavepoint().with(new SnapshotTarget.AtRest()),
                    Reason.SNAPSHOT_DISPOSING, aSavepoint().completed().deleted(),
                    Reason.SNAPSHOT_DISPOSAL_GIVEN_UP,
                            aSavepoint().completed().deleted().decided().later(Snapshot.CLEANUP));

    @Test
    void decidesInEverySituationAndRestsOnlyWhereNothingIsLeftToDo() {
        List<Snapshot> all = everySituation().toList();
        assertThat(all).hasSizeGreaterThan(5000);
        for (Snapshot snapshot : all) {
            SnapshotDecision decision = snapshot.decide();
            boolean isDeleted = snapshot.observed().identity().deleting();
            assertThat(count(decision, SnapshotAction.Ask.class))
                    .as("at most one request: %s", snapshot)
                    .isLessThanOrEqualTo(1);
            assertThat(decision.releases()).as("%s", snapshot).isIn(false, isDeleted);
            if (isDeleted) {
                assertThat(decision.releases() || decision.checkAgain().isPresent())
                        .as("a deletion goes on until it is over: %s", snapshot)
                        .isTrue();
            } else if (isAtRest(decision.status().state())) {
                assertThat(count(decision, SnapshotAction.Ask.class)).isZero();
                assertThat(decision.checkAgain()).as("%s", snapshot).isEmpty();
            } else {
                assertThat(decision.checkAgain()).as("%s", snapshot).isPresent();
            }
        }
    }

    @Test
    void everyDeletionEndsAtItsDeadlineWhateverFlinkSays() {
        everySituation()
                .map(Snapshot::deleted)
                .forEach(
                        snapshot -> {
                            var seen = snapshot.decided();
                            var complete = seen.later(Snapshot.CLEANUP).decided();
                            assertThat(complete.decide().releases() || seen.decide().releases())
                                    .as("%s", snapshot)
                                    .isTrue();
                        });
    }

    @Test
    void noFileIsDisposedOfThatIsNeededOrMayBe() {
        everySituation()
                .filter(it -> !(it.observed().need() instanceof Need.NotNeeded))
                .filter(it -> it.observed().identity().deleting())
                .forEach(it -> assertThat(count(it.decide(), SnapshotAction.Ask.class)).isZero());
    }

    @Test
    void reachesEveryReasonAndSaysItInTheConditions() {
        assertThat(SITUATIONS)
                .containsOnlyKeys(
                        Arrays.stream(Reason.values())
                                .filter(reason -> reason.name().startsWith("SNAPSHOT_"))
                                .collect(Collectors.toSet()));
        SITUATIONS.forEach(
                (reason, situation) -> {
                    SnapshotDecision decision = situation.decide();
                    assertThat(decision.reason()).isEqualTo(reason);
                    var status =
                            SnapshotStatusRenderer.status(
                                    situation.observed(),
                                    decision,
                                    JsonNodeFactory.instance.objectNode());
                    assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
                    assertThat(status.path("conditions"))
                            .hasSize(3)
                            .allMatch(it -> it.path("reason").asText().equals(reason.wire()))
                            .allMatch(it -> it.path("message").asText().startsWith(reason.text()));
                    assertThat(status.at("/conditions/0/status").asText())
                            .isEqualTo(reason == Reason.SNAPSHOT_COMPLETED ? "True" : "False");
                    assertThat(status.at("/conditions/2/status").asText())
                            .isEqualTo(reason.outlook() == Outlook.STALLED ? "True" : "False");
                });
    }

    private static Stream<Snapshot> everySituation() {
        List<Snapshot> all = new ArrayList<>();
        for (Snapshot base : List.of(aSavepoint(), aCheckpoint(), aRegistration())) {
            for (SnapshotState state : SnapshotState.values()) {
                for (Snapshot begun :
                        List.of(base, base.asked(), base.withLimit(0).asked(), base.completed())) {
                    addAll(all, begun.in(state));
                }
            }
        }
        return all.stream();
    }

    private static void addAll(List<Snapshot> all, Snapshot base) {
        for (SnapshotTarget target : TARGETS) {
            Snapshot found = base.with(target);
            ANSWERS.forEach(answer -> addAt(all, found.answering(answer)));
            DISPOSALS.forEach(disposal -> addAt(all, found.disposing(disposal)));
        }
    }

    private static void addAt(List<Snapshot> all, Snapshot seen) {
        all.add(seen);
        all.add(seen.later(Duration.ofDays(1)));
        NEEDS.forEach(need -> all.add(seen.deleted().needed(need)));
    }

    private static Snapshot thirdRestart() {
        Snapshot asked = aSavepoint().asked();
        return asked.withStatus(
                        asked.observed()
                                .status()
                                .withAttempt(asked.observed().status().attempt().withRestarts(2)))
                .with(new SnapshotTarget.Busy(SnapshotTarget.With.RESTART))
                .answering(failed("task failed"));
    }

    private static boolean isAtRest(SnapshotState state) {
        return switch (state) {
            case COMPLETED, FAILED, ABANDONED -> true;
            case TRIGGER_PENDING, IN_PROGRESS -> false;
        };
    }

    private static long count(SnapshotDecision decision, Class<? extends SnapshotAction> kind) {
        return decision.actions().stream().filter(kind::isInstance).count();
    }
}
