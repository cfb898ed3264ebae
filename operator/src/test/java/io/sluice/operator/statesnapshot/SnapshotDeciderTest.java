// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static io.sluice.operator.statesnapshot.Snapshot.ANOTHER;
import static io.sluice.operator.statesnapshot.Snapshot.JOB;
import static io.sluice.operator.statesnapshot.Snapshot.JOB_WAIT;
import static io.sluice.operator.statesnapshot.Snapshot.UP;
import static io.sluice.operator.statesnapshot.Snapshot.aCheckpoint;
import static io.sluice.operator.statesnapshot.Snapshot.aRegistration;
import static io.sluice.operator.statesnapshot.Snapshot.aSavepoint;
import static io.sluice.operator.statesnapshot.Snapshot.busy;
import static io.sluice.operator.statesnapshot.Snapshot.done;
import static io.sluice.operator.statesnapshot.Snapshot.failed;
import static io.sluice.operator.statesnapshot.Snapshot.silent;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.statesnapshot.SnapshotObservedState.JobOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every transition of a snapshot that is not being deleted. */
class SnapshotDeciderTest {
    private static final SnapshotTarget GONE = new SnapshotTarget.Gone();

    static List<SnapshotTarget> jobsThatWillNotRun() {
        return List.of(
                new SnapshotTarget.AtRest(),
                new SnapshotTarget.Ended("the job is FINISHED"),
                new SnapshotTarget.Leaving());
    }

    static List<SnapshotTarget> jobsThatMayRun() {
        return Stream.<SnapshotTarget>concat(
                        Stream.of(GONE, new SnapshotTarget.NotRead()),
                        Stream.of(SnapshotTarget.With.values()).map(SnapshotTarget.Busy::new))
                .toList();
    }

    @Test
    void recordsTheTryBeforeItAsksFlink() {
        SnapshotDecision decision = aSavepoint().decide();

        assertThat(decision.status().state()).isEqualTo(SnapshotState.IN_PROGRESS);
        assertThat(decision.status().triggerTimestamp()).contains(Snapshot.CREATED);
        assertThat(decision.status().attempt().jobId()).contains(JOB);
        String triggerId = decision.status().triggerId().orElseThrow();
        assertThat(triggerId).matches("[0-9a-f]{32}");
        assertThat(asks(decision))
                .containsExactly(
                        new Action.TriggerSavepoint(
                                JOB,
                                new SavepointRequest(
                                        triggerId,
                                        Optional.of("s3://b/savepoints"),
                                        SavepointFormat.CANONICAL)));
        assertThat(decision.checkAgain()).contains(Duration.ofSeconds(10));
        assertThat(aSavepoint().decide().status().triggerId()).contains(triggerId);
    }

    @Test
    void asksForWhatTheSpecSays() {
        SnapshotDecision decision =
                Snapshot.of(
                                "{jobReference: {kind: FlinkSessionJob, name: a},"
                                        + " savepoint: {path: 's3://mine', formatType: NATIVE}}")
                        .decide();

        assertThat(asks(decision))
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.TriggerSavepoint.class,
                        asked -> {
                            assertThat(asked.request().folder()).contains("s3://mine");
                            assertThat(asked.request().format()).isEqualTo(SavepointFormat.NATIVE);
                        });
        assertThat(asks(aCheckpoint().decide()))
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.TriggerCheckpoint.class,
                        asked ->
                                assertThat(asked.request().type())
                                        .isEqualTo(CheckpointRequest.Type.FULL));
    }

    @Test
    void isCompleteAtThePathThatFlinkTells() {
        SnapshotDecision decision = aSavepoint().asked().answering(done("s3://b/s/1")).decide();

        assertThat(decision.status().state()).isEqualTo(SnapshotState.COMPLETED);
        assertThat(decision.status().path()).contains("s3://b/s/1");
        assertThat(decision.status().resultTimestamp()).contains(Snapshot.CREATED);
        assertThat(decision.reason()).isEqualTo(Reason.SNAPSHOT_COMPLETED);
        assertThat(decision.checkAgain()).isEmpty();
        assertThat(decision.events()).isEmpty();
    }

    @Test
    void aSuccessRemovesTheErrorOfAFormerTryAndKeepsItsCount() {
        var retried = aSavepoint().asked().answering(failed("disk full")).decided();
        assertThat(retried.observed().status().error())
                .hasValueSatisfying(error -> assertThat(error).contains("disk full"));

        var done =
                retried.later(Duration.ofSeconds(10))
                        .decided()
                        .answering(done("s3://b/s/1"))
                        .decide();

        assertThat(done.status().error()).isEmpty();
        assertThat(done.status().failures()).isEqualTo(1);
    }

    @Test
    void registersWhatIsThereWithoutAJob() {
        SnapshotDecision decision = aRegistration().with(GONE).decide();

        assertThat(decision.status().state()).isEqualTo(SnapshotState.COMPLETED);
        assertThat(decision.status().path()).contains("s3://b/s-1");
        assertThat(decision.status().triggerTimestamp()).contains(Snapshot.CREATED);
        assertThat(decision.status().resultTimestamp()).contains(Snapshot.CREATED);
        assertThat(asks(decision)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("jobsThatMayRun")
    void waitsForAJobThatMayRunAndAbandonsItWhenThatTakesTooLong(SnapshotTarget target) {
        var waiting = aSavepoint().with(target);

        assertThat(waiting.decide().reason()).isEqualTo(Reason.SNAPSHOT_WAITING);
        assertThat(waiting.decide().status().state()).isEqualTo(SnapshotState.TRIGGER_PENDING);
        assertThat(waiting.decided().decide().status().withConditions(List.of()))
                .as("a wait costs one write")
                .isEqualTo(waiting.decided().observed().status().withConditions(List.of()));
        SnapshotDecision late = waiting.decided().later(JOB_WAIT).decide();
        assertThat(late.status().state()).isEqualTo(SnapshotState.ABANDONED);
        assertThat(late.status().path()).isEmpty();
        assertThat(late.status().error()).isPresent();
        assertThat(reasons(late)).containsExactly("SnapshotAbandoned");
    }

    @Test
    void abandonsAtOnceWhereNoWaitIsWanted() {
        assertThat(aSavepoint().with(busy()).waitingForJob(Duration.ZERO).decide().status().state())
                .isEqualTo(SnapshotState.ABANDONED);
    }

    @ParameterizedTest
    @MethodSource("jobsThatWillNotRun")
    void abandonsAtOnceWhatNoJobWillMake(SnapshotTarget target) {
        SnapshotDecision decision = aSavepoint().with(target).decide();

        assertThat(decision.status().state()).isEqualTo(SnapshotState.ABANDONED);
        assertThat(decision.reason()).isEqualTo(Reason.SNAPSHOT_ABANDONED);
        assertThat(decision.checkAgain()).isEmpty();
        assertThat(reasons(decision)).containsExactly("SnapshotAbandoned");
    }

    @Test
    void saysWhichKeyToSetWhereThereIsNoFolderAndCountsNoFailure() {
        SnapshotDecision decision =
                aSavepoint().with(new JobOptions(Optional.empty(), true)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.SNAPSHOT_UNSUPPORTED);
        assertThat(decision.detail()).contains("execution.checkpointing.savepoint-dir");
        assertThat(decision.status().failures()).isZero();
        assertThat(decision.status().error()).isPresent();
        assertThat(asks(decision)).isEmpty();
    }

    @Test
    void doesNotAskAnOldFlinkForACheckpoint() {
        SnapshotDecision decision =
                aCheckpoint().with(new JobOptions(Optional.empty(), false)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.SNAPSHOT_UNSUPPORTED);
        assertThat(decision.detail()).contains("1.17");
    }

    @Test
    void holdsASpecThatIsInvalidAndForgetsItsErrorWithIt() {
        var held = aSavepoint().objected(Reason.SPEC_INVALID, "snapshot-format spec: wrong");

        assertThat(held.decide().reason()).isEqualTo(Reason.SPEC_INVALID);
        assertThat(held.decide().status().error()).isPresent();
        assertThat(held.decide().checkAgain()).isEmpty();
        assertThat(reasons(held.decide())).containsExactly("ValidationError");
        var corrected = new Snapshot(held.decided().observed().withObjection(Optional.empty()));
        assertThat(corrected.with(busy()).decide().status().error()).isEmpty();
    }

    @Test
    void triesAgainAfterAPauseThatGrowsToTenMinutes() {
        var snapshot = aSavepoint().asked();
        Duration[] pauses = {
            Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(40),
            Duration.ofSeconds(80), Duration.ofSeconds(160), Duration.ofSeconds(320),
            Duration.ofMinutes(10), Duration.ofMinutes(10)
        };
        for (Duration pause : pauses) {
            String former = snapshot.observed().status().triggerId().orElseThrow();
            var failed = snapshot.answering(failed("disk full"));
            assertThat(failed.decide().checkAgain()).contains(pause);
            assertThat(reasons(failed.decide())).containsExactly("SavepointError");
            var waiting = failed.decided();
            assertThat(waiting.later(pause.minusMillis(1)).decide().reason())
                    .isEqualTo(Reason.SNAPSHOT_RETRYING);
            snapshot = waiting.later(pause).decided();
            assertThat(snapshot.observed().status().state()).isEqualTo(SnapshotState.IN_PROGRESS);
            assertThat(snapshot.observed().status().triggerId()).isNotEqualTo(Optional.of(former));
        }
    }

    @Test
    void hasFailedOnceNoTryIsLeftAndTriesAgainWithAGreaterLimit() {
        var over = aSavepoint().withLimit(0).asked().answering(failed("disk full")).decided();

        assertThat(over.observed().status().state()).isEqualTo(SnapshotState.FAILED);
        assertThat(over.decide().reason()).isEqualTo(Reason.SNAPSHOT_FAILED);
        assertThat(over.decide().checkAgain()).isEmpty();
        var raised = over.withLimit(1);
        assertThat(raised.decide().status().state()).isEqualTo(SnapshotState.TRIGGER_PENDING);
        assertThat(raised.decided().later(Duration.ofSeconds(10)).decide().status().state())
                .isEqualTo(SnapshotState.IN_PROGRESS);
    }

    @Test
    void makesNoOtherTryOnceTheLimitWasLowered() {
        var waiting = aSavepoint().asked().answering(failed("disk full")).decided();

        SnapshotDecision lowered = waiting.withLimit(0).later(Duration.ofMinutes(1)).decide();

        assertThat(lowered.status().state()).isEqualTo(SnapshotState.FAILED);
        assertThat(lowered.reason()).isEqualTo(Reason.SNAPSHOT_FAILED);
        assertThat(lowered.status().error().orElseThrow()).contains("spec.backoffLimit is 0");
        assertThat(lowered.checkAgain()).isEmpty();
    }

    @Test
    void stopsForGoodWhenThreeTriesInARowMadeTheJobRestart() {
        var snapshot = aSavepoint();
        for (int i = 1; i <= 3; i++) {
            var restarted =
                    new SnapshotTarget.Up(JOB, "attempt-1", Snapshot.JOB_CHANGE.plusSeconds(i));
            snapshot =
                    snapshot.later(Duration.ofMinutes(20))
                            .decided()
                            .with(restarted)
                            .answering(failed("task failed"))
                            .decided();
        }

        assertThat(snapshot.observed().status().state()).isEqualTo(SnapshotState.FAILED);
        assertThat(snapshot.withLimit(-1).decide().reason())
                .isEqualTo(Reason.SNAPSHOT_RESTARTS_JOB);
    }

    @Test
    void aFailureWithoutARestartEndsTheRow() {
        var restarting =
                aSavepoint()
                        .asked()
                        .with(new SnapshotTarget.Busy(SnapshotTarget.With.RESTART))
                        .answering(failed("task failed"))
                        .decided();
        assertThat(restarting.observed().status().attempt().restarts()).isEqualTo(1);

        var other =
                restarting
                        .later(Duration.ofMinutes(1))
                        .with(UP)
                        .decided()
                        .answering(failed("disk full"))
                        .decided();

        assertThat(other.observed().status().attempt().restarts()).isZero();
    }

    /** All of them ran when it was asked for. */
    @Test
    void aJobWhoseTasksAreDeployedAgainWasRestarted() {
        var deploying =
                aSavepoint()
                        .asked()
                        .with(new SnapshotTarget.Busy(SnapshotTarget.With.DEPLOYMENT))
                        .answering(failed("task failed"))
                        .decided();

        assertThat(deploying.observed().status().attempt().restarts()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = SnapshotTarget.With.class,
            names = {"SILENCE", "UPGRADE", "CLUSTER"})
    void aFailureOfAJobThatNobodyCanTellOfDoesNotEndTheRow(SnapshotTarget.With with) {
        var restarted =
                aSavepoint()
                        .asked()
                        .with(new SnapshotTarget.Busy(SnapshotTarget.With.RESTART))
                        .answering(failed("task failed"))
                        .decided();

        var unseen =
                restarted
                        .later(Duration.ofMinutes(1))
                        .with(UP)
                        .decided()
                        .with(new SnapshotTarget.Busy(with))
                        .answering(failed("task failed"))
                        .decided();

        assertThat(unseen.observed().status().failures()).isEqualTo(2);
        assertThat(unseen.observed().status().attempt().restarts()).isEqualTo(1);
    }

    @Test
    void silenceIsNeverAFailure() {
        var silent = aSavepoint().asked().answering(silent());

        for (SnapshotTarget target : List.of(UP, busy())) {
            SnapshotDecision decision = silent.with(target).later(Duration.ofHours(2)).decide();
            assertThat(decision.status().state()).isEqualTo(SnapshotState.IN_PROGRESS);
            assertThat(decision.status().failures()).isZero();
            assertThat(asks(decision)).isEmpty();
            assertThat(decision.checkAgain()).contains(Duration.ofMinutes(1));
        }
    }

    @ParameterizedTest
    @MethodSource("jobsThatWillNotRun")
    void waitsForTheAnswerOfAJobThatWillNotRunBeforeItAbandonsIt(SnapshotTarget target) {
        var silent = aSavepoint().asked().answering(silent()).with(target);

        assertThat(silent.decide().status().state()).isEqualTo(SnapshotState.IN_PROGRESS);
        assertThat(silent.later(JOB_WAIT).decide().status().state())
                .isEqualTo(SnapshotState.ABANDONED);
        assertThat(silent.answering(done("s3://b/s/1")).decide().status().state())
                .isEqualTo(SnapshotState.COMPLETED);
        assertThat(silent.answering(new AsyncResult.Unknown()).decide().status().state())
                .isEqualTo(SnapshotState.ABANDONED);
    }

    /** A checkpoint has no folder of its own: its files are the job's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSavepointThatIsAskedForAgainMayHaveLeftFilesInItsFolder(boolean isSavepoint) {
        var snapshot = isSavepoint ? aSavepoint() : aCheckpoint();

        var again = snapshot.asked().answering(new AsyncResult.Unknown()).decide();

        assertThat(again.events())
                .singleElement()
                .satisfies(
                        event ->
                                assertThat(event.message().contains("may lie in"))
                                        .isEqualTo(isSavepoint));
    }

    @Test
    void asksAgainUnderTheSameIdForWhatTheJobManagerDoesNotKnow() {
        var lost = aSavepoint().asked().answering(new AsyncResult.Unknown());
        Optional<String> triggerId = lost.observed().status().triggerId();

        for (int i = 1; i <= 5; i++) {
            SnapshotDecision again = lost.decide();
            assertThat(again.status().triggerId()).isEqualTo(triggerId);
            assertThat(again.status().attempt().tries()).isEqualTo(i);
            assertThat(asks(again)).hasSize(1);
            assertThat(again.events()).hasSize(i == 1 ? 1 : 0);
            lost = lost.decided();
        }

        assertThat(lost.decide().status().failures()).isEqualTo(1);
        assertThat(lost.decide().status().state()).isEqualTo(SnapshotState.TRIGGER_PENDING);
        assertThat(lost.with(busy()).decide().status()).isEqualTo(lost.observed().status());
    }

    @Test
    void asksTheJobThatRunsInPlaceOfTheOneThatWasAsked() {
        for (AsyncResult answer : List.of(new AsyncResult.Unknown(), silent())) {
            var replaced = aSavepoint().asked().answering(answer).with(ANOTHER);

            assertThat(replaced.decide().status().state()).isEqualTo(SnapshotState.TRIGGER_PENDING);
            assertThat(replaced.decide().status().failures()).isZero();
            var next = replaced.decided().decide();
            assertThat(next.status().attempt().jobId()).contains(ANOTHER.jobId());
            assertThat(next.status().triggerId())
                    .isNotEqualTo(replaced.observed().status().triggerId());
        }
    }

    @Test
    void beginsAnewWhereNoTriggerIsOnRecord() {
        var unnamed = aSavepoint().in(SnapshotState.IN_PROGRESS);

        assertThat(unnamed.decide().status().state()).isEqualTo(SnapshotState.TRIGGER_PENDING);
    }

    @Test
    void looksForThePathOfACheckpointForAMinute() {
        var unnamed = aCheckpoint().asked().answering(new AsyncResult.Done(Optional.empty()));

        var waiting = unnamed.decided();
        assertThat(waiting.observed().status().state()).isEqualTo(SnapshotState.IN_PROGRESS);
        assertThat(waiting.answering(done("file:/chk-1")).decide().status().path())
                .contains("file:/chk-1");
        SnapshotDecision given = waiting.later(Duration.ofMinutes(1)).decide();
        assertThat(given.status().path()).contains("");
        assertThat(reasons(given)).containsExactly("CheckpointError");
    }

    @Test
    void completesAtOnceWhatFlinkHasNotKept() {
        SnapshotDecision given =
                aCheckpoint().asked().answering(new AsyncResult.NotKept("It is deleted.")).decide();

        assertThat(given.status().state()).isEqualTo(SnapshotState.COMPLETED);
        assertThat(given.status().path()).contains("");
        assertThat(given.detail()).isEqualTo("It is deleted.");
        assertThat(reasons(given)).containsExactly("CheckpointError");
    }

    @Test
    void looksMoreSeldomTheLongerItTakes() {
        var pending = aSavepoint().asked().answering(new AsyncResult.Pending());

        assertThat(pending.decide().checkAgain()).contains(Duration.ofSeconds(10));
        assertThat(pending.later(Duration.ofSeconds(30)).decide().checkAgain())
                .contains(Duration.ofSeconds(30));
        assertThat(pending.later(Duration.ofHours(1)).decide().checkAgain())
                .contains(Duration.ofMinutes(1));
    }

    private static List<Action.OfJob> asks(SnapshotDecision decision) {
        return decision.actions().stream()
                .filter(SnapshotAction.Ask.class::isInstance)
                .map(action -> ((SnapshotAction.Ask) action).action())
                .toList();
    }

    private static List<String> reasons(SnapshotDecision decision) {
        return decision.events().stream().map(ResourceEvent::reason).toList();
    }
}
