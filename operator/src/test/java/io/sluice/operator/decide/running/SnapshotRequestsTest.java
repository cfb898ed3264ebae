// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.api.spec.StateKind.CHECKPOINT;
import static io.sluice.api.spec.StateKind.SAVEPOINT;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.RequestedSnapshot;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.RunView.SnapshotView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests for state that FlinkStateSnapshots carry. */
class SnapshotRequestsTest {
    private static final String NAME = "orders-savepoint-manual-" + Snapshots.NOW.toEpochMilli();
    private static final SnapshotView COMPLETE =
            new SnapshotView.Complete(Optional.of("file:/s/1"));

    @Test
    void recordsTheNameBeforeItCreatesTheSnapshot() {
        var decision = aServedDeployment().withNonce(SAVEPOINT, 7).decide();

        assertThat(snapshot(decision, SAVEPOINT))
                .contains(new RequestedSnapshot(NAME, Optional.of("file:///s"), false, false));
        assertThat(trigger(decision, SAVEPOINT).id()).isEmpty();
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.CreateSnapshot.class,
                        creation -> {
                            assertThat(creation.name()).isEqualTo(NAME);
                            assertThat(creation.type()).isEqualTo(TriggerType.MANUAL);
                            var savepoint = creation.spec().savepoint().orElseThrow();
                            assertThat(savepoint.path()).contains("file:///s");
                            assertThat(savepoint.formatType()).isEqualTo(SavepointFormat.CANONICAL);
                            assertThat(savepoint.disposeOnDelete()).isFalse();
                            assertThat(savepoint.alreadyExists()).isFalse();
                            assertThat(creation.spec().backoffLimit()).isEqualTo(4);
                        });
        assertThat(decision.reason()).isEqualTo(Reason.SAVING_STATE);
        assertThat(nonce(decision)).isEmpty();
    }

    @Test
    void asksForACheckpointWithoutAFolder() {
        var decision = aServedDeployment().withNonce(CHECKPOINT, 7).decide();

        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.CreateSnapshot.class,
                        creation -> {
                            assertThat(creation.name()).startsWith("orders-checkpoint-manual-");
                            assertThat(creation.spec().checkpoint()).isTrue();
                            assertThat(creation.spec().savepoint()).isEmpty();
                        });
    }

    @Test
    void givesItTheLabelsOfTheJobByWhichTheOperatorSelects() {
        var selecting =
                aServedDeployment()
                        .withDefaults(
                                Map.of(
                                        "kubernetes.operator.label.selector",
                                        "team in (a, b),tier=gold,!legacy"))
                        .withNonce(SAVEPOINT, 7);

        assertThat(creations(selecting.decide()))
                .singleElement()
                .satisfies(
                        creation ->
                                assertThat(creation.inheritedLabels())
                                        .contains("team", "tier", "legacy"));
    }

    @Test
    void createsNoneForAJobThatIsDeleted() {
        assertThat(creations(asked().deleted().decide())).isEmpty();
    }

    @Test
    void createsItAgainUnderTheSameNameUntilItExists() {
        var asked = asked();

        var again = asked.withSnapshot(SAVEPOINT, new SnapshotView.Absent()).decide();

        assertThat(again.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.CreateSnapshot.class,
                        creation -> assertThat(creation.name()).isEqualTo(NAME));
        assertThat(again.status()).isEqualTo(asked.observed().status());
    }

    @Test
    void countsTheNonceAsDoneOnceTheSnapshotExists() {
        var seen = asked().withSnapshot(SAVEPOINT, new SnapshotView.Waiting());

        var decision = seen.decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(nonce(decision)).contains(7L);
        assertThat(snapshot(decision, SAVEPOINT).map(RequestedSnapshot::isSeen)).contains(true);
        assertThat(decision.reason()).isEqualTo(Reason.SAVING_STATE);
        var next = seen.decided();
        assertThat(next.decide().status()).isEqualTo(next.observed().status());
    }

    @Test
    void leavesTheRecordOfACompleteSavepointToTheSnapshot() {
        var made = asked().withSnapshot(SAVEPOINT, COMPLETE);

        var decision = made.decide();

        StateLog log = decision.status().jobStatus().log().savepoints();
        assertThat(log.trigger()).isEmpty();
        assertThat(log.last()).isEmpty();
        assertThat(log.history()).isEmpty();
        assertThat(nonce(decision)).contains(7L);
        assertThat(decision.notes())
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.reason()).isEqualTo("Savepoint");
                            assertThat(event.message()).contains("file:/s/1", NAME);
                        });
        assertThat(made.decided().decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void saysOnTheJobThatTheSnapshotFailed() {
        var failed = asked().withSnapshot(SAVEPOINT, new SnapshotView.Failed("disk full"));

        assertThat(failed.decide().notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("SavepointError");
        var told = failed.decided().decide();
        assertThat(told.reason()).isEqualTo(Reason.SAVING_FAILED);
        assertThat(told.detail()).contains("savepointTriggerNonce 7", "disk full");
        assertThat(told.actions()).isEmpty();
    }

    @Test
    void triesToCreateWhatIsRefusedAndThenSaysWhy() {
        var refused = asked().withSnapshot(SAVEPOINT, new SnapshotView.Refused("exceeded quota"));

        assertThat(refused.decide().actions()).hasOnlyElementsOfType(Action.CreateSnapshot.class);
        var late = refused.later(Duration.ofMinutes(2));
        assertThat(late.decide().actions()).isEmpty();
        assertThat(nonce(late.decide())).contains(7L);
        var told = late.decided().decide();
        assertThat(told.reason()).isEqualTo(Reason.SAVING_FAILED);
        assertThat(told.detail()).contains(NAME, "exceeded quota");
    }

    @Test
    void doesNotCreateAnewWhatAUserHasDeleted() {
        var seen = asked().withSnapshot(SAVEPOINT, new SnapshotView.InProgress()).decided();

        var deleted = seen.withSnapshot(SAVEPOINT, new SnapshotView.Absent()).decided();

        assertThat(deleted.savepoints().trigger()).isEmpty();
        assertThat(deleted.decide().actions()).isEmpty();
        assertThat(deleted.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void registersTheSavepointThatTheJobWasStoppedWith() {
        var stopped =
                aServedDeployment()
                        .withImage("new")
                        .decided()
                        .withStop(new SavepointStatus.Completed("file:/s/stop"));

        var decision = stopped.decide();

        assertThat(decision.status().jobStatus().upgradeSavepointPath()).contains("file:/s/stop");
        assertThat(decision.status().jobStatus().log().savepoints().history()).isEmpty();
        assertThat(creations(decision))
                .singleElement()
                .satisfies(
                        creation -> {
                            assertThat(creation.name()).startsWith("orders-savepoint-upgrade-");
                            assertThat(creation.type()).isEqualTo(TriggerType.UPGRADE);
                            assertThat(creation.spec().isRegistration()).isTrue();
                            assertThat(creation.spec().savepoint().orElseThrow().path())
                                    .contains("file:/s/stop");
                        });
    }

    @Test
    void createsTheSnapshotOfAStopAlsoWhileItsJobDoesNotRun() {
        var stopped = stopped();

        var waiting = stopped.withSnapshot(SAVEPOINT, new SnapshotView.Absent());
        assertThat(creations(waiting.decide())).hasSize(1);
        var registered = stopped.withSnapshot(SAVEPOINT, COMPLETE).decided();
        assertThat(registered.savepoints().trigger()).isEmpty();
        assertThat(creations(registered.decide())).isEmpty();
        assertThat(registered.observed().status().jobStatus().upgradeSavepointPath())
                .contains("file:/s/stop");
    }

    @Test
    void givesTheRegistrationOfAStopUpAfterTenMinutesAndNamesTheSavepoint() {
        var refused =
                stopped()
                        .withSnapshot(SAVEPOINT, new SnapshotView.Refused("exceeded quota"))
                        .later(Duration.ofMinutes(11));

        assertThat(creations(refused.decide())).isEmpty();
        assertThat(refused.decide().notes())
                .anySatisfy(
                        event ->
                                assertThat(event.message())
                                        .contains("file:/s/stop", "exceeded quota"));
        assertThat(refused.decided().savepoints().trigger()).isEmpty();
    }

    /** The operator was away for longer than it tries. */
    @Test
    void triesOnceAtLeastToRegisterTheSavepointOfAStop() {
        var late =
                stopped()
                        .withSnapshot(SAVEPOINT, new SnapshotView.Absent())
                        .later(Duration.ofHours(1));

        assertThat(creations(late.decide())).hasSize(1);
        assertThat(late.decide().notes()).isEmpty();
        assertThat(late.decided().savepoints().trigger()).isPresent();
    }

    @Test
    void holdsAnUpgradeUpWhileFlinkMakesASavepointForASnapshot() {
        var edited = asked().withImage("new");

        assertThat(edited.withSnapshot(SAVEPOINT, new SnapshotView.InProgress()).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_SAVEPOINT);
        assertThat(edited.withSnapshot(SAVEPOINT, new SnapshotView.Waiting()).decide().reason())
                .isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void holdsAnUpgradeUpWhileFlinkMakesASavepointForAUsersSnapshot() {
        var edited = aServedDeployment().withImage("new");

        assertThat(
                        edited.withSnapshots(
                                        new RunView.Snapshots(
                                                true, Map.of(), List.of("before-friday"), Map.of()))
                                .decide()
                                .reason())
                .isEqualTo(Reason.WAITING_FOR_SAVEPOINT);
        assertThat(edited.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void followsASnapshotThroughAnUpgrade() {
        var seen = asked().withSnapshot(SAVEPOINT, new SnapshotView.Waiting()).decided();

        var down = seen.withJob(new JobView.Unreachable("refused")).decided();

        assertThat(down.savepoints().trigger().flatMap(StateTrigger::snapshot))
                .map(RequestedSnapshot::name)
                .contains(NAME);
        assertThat(down.decide().notes()).isEmpty();
    }

    @Test
    void asksFlinkDirectlyWhereItIsToldTo() {
        var told =
                aServedDeployment()
                        .withConfiguration("kubernetes.operator.snapshot.resource.enabled", "false")
                        .decided()
                        .withNonce(SAVEPOINT, 7);

        assertThat(told.decide().actions()).hasOnlyElementsOfType(Action.TriggerSavepoint.class);
    }

    @Test
    void finishesWhatItHasAskedFlinkForDirectly() {
        var direct = aSavingDeployment().withNonce(SAVEPOINT, 7).decided();

        var served =
                direct.withServedSnapshots()
                        .withAnswer(SAVEPOINT, new AsyncResult.Done(Optional.of("file:/s/1")))
                        .decided();

        assertThat(served.savepoints().history()).hasSize(1);
        assertThat(served.decide().actions()).isEmpty();
    }

    @Test
    void forgetsWhatItHasRequestedWhereNoneAreServedAnyMore() {
        var without = asked().withSnapshots(RunView.Snapshots.NONE);

        assertThat(without.decide().actions()).isEmpty();
        assertThat(without.decided().savepoints().trigger()).isEmpty();
    }

    private static Snapshots aServedDeployment() {
        return aSavingDeployment().withServedSnapshots();
    }

    private static Snapshots asked() {
        return aServedDeployment().withNonce(SAVEPOINT, 7).decided();
    }

    private static Snapshots stopped() {
        return aServedDeployment()
                .withImage("new")
                .decided()
                .withStop(new SavepointStatus.Completed("file:/s/stop"))
                .decided();
    }

    private static List<Action.CreateSnapshot> creations(Decision decision) {
        return decision.actions().stream()
                .filter(Action.CreateSnapshot.class::isInstance)
                .map(Action.CreateSnapshot.class::cast)
                .toList();
    }

    private static StateTrigger trigger(Decision decision, StateKind kind) {
        return decision.status().jobStatus().log().of(kind).trigger().orElseThrow();
    }

    private static Optional<RequestedSnapshot> snapshot(Decision decision, StateKind kind) {
        return trigger(decision, kind).snapshot();
    }

    private static Optional<Long> nonce(Decision decision) {
        return decision.status()
                .reconciliationStatus()
                .lastReconciledSpec()
                .flatMap(ReconciledSpec::decode)
                .map(spec -> spec.spec().at("/job/savepointTriggerNonce"))
                .filter(node -> node.isNumber())
                .map(node -> node.longValue());
    }
}
