// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.operator.bluegreen.decide.Pair.PATH;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static io.sluice.operator.bluegreen.decide.Pair.aPairThatStopsFirst;
import static io.sluice.operator.bluegreen.decide.Pair.half;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.status.TriggerType;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.PairObservedState.SnapshotUse;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.RunView.SnapshotView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What becomes of the savepoint that a transition has made. */
class RegistrationTest {
    private static final SnapshotUse USED =
            new SnapshotUse(true, true, false, List.of("team"), new SnapshotView.NotRead());

    private static final String NAME =
            "orders-blue-savepoint-upgrade-" + Pair.CREATED.toEpochMilli();

    @Test
    void registersItOnceItIsCompleteBeforeTheOtherHalfIsMade() {
        PairDecision decision =
                with(USED, aNewPair().saving().later(Duration.ofMinutes(1))).saved().decide();

        assertThat(decision.status().registration())
                .hasValueSatisfying(
                        it -> {
                            assertThat(it.name()).isEqualTo(NAME);
                            assertThat(it.job()).isEqualTo("orders-blue");
                            assertThat(it.path()).isEqualTo(PATH);
                        });
        assertThat(decision.actions()).hasSize(2).last().isInstanceOf(PairAction.CreateHalf.class);
        Action.CreateSnapshot creation = creation(decision).orElseThrow();
        assertThat(creation.name()).isEqualTo(NAME);
        assertThat(creation.type()).isEqualTo(TriggerType.UPGRADE);
        assertThat(creation.inheritedLabels()).containsExactly("team");
        assertThat(creation.spec().toJson())
                .isEqualTo(
                        Pair.yaml(
                                """
                                jobReference: {kind: FlinkDeployment, name: orders-blue}
                                savepoint: {path: %s, formatType: CANONICAL, disposeOnDelete: false, alreadyExists: true}
                                backoffLimit: 4
                                """
                                        .formatted(PATH)));
    }

    /** The same one, whatever has happened in between; and none once it is there. */
    @Test
    void createsItUnderTheNameOnRecordUntilItIsSeen() {
        Pair recorded = with(USED, aNewPair().saving()).saved().decided();

        assertThat(creation(recorded.later(Duration.ofMinutes(3)).decide()))
                .map(Action.CreateSnapshot::name)
                .contains(NAME);
        assertThat(creation(with(absent(), recorded).decide())).isPresent();

        PairDecision seen = with(USED.withRegistered(complete()), recorded).decide();
        assertThat(creation(seen)).isEmpty();
        assertThat(seen.status().registration()).isEmpty();
    }

    @Test
    void goesOnWhateverBecomesOfTheTransition() {
        Pair started =
                with(absent(), aNewPair().saving()).saved().decided().withNew(Condition.STEADY);
        Pair retiring = started.decided();
        Pair over =
                retiring.later(Duration.ofMinutes(1))
                        .decided()
                        .with(BLUE, new HalfView.Leaving("uid-former"))
                        .decided();
        assertThat(over.phase()).isEqualTo(TransitionPhase.ENDED);
        assertThat(creation(over.decide())).map(Action.CreateSnapshot::name).contains(NAME);
        assertThat(creation(over.objectedTo("spec is wrong").decide())).isPresent();
    }

    @Test
    void saysWhereItIsIfItCannotBeRegistered() {
        Pair recorded = with(USED, aNewPair().saving()).saved().decided();
        Pair refused =
                with(USED.withRegistered(new SnapshotView.Refused("exceeded quota")), recorded);
        assertThat(refused.decide().checkAgain()).contains(Duration.ofSeconds(10));

        PairDecision late = refused.later(Duration.ofMinutes(11)).decide();
        assertThat(late.status().registration()).isEmpty();
        assertThat(creation(late)).isEmpty();
        assertThat(messages(late, OperatorEvent.SAVEPOINT_ERROR))
                .singleElement()
                .asString()
                .contains(PATH, NAME, "exceeded quota");
    }

    /** The operator was away for longer than it tries. */
    @Test
    void triesOnceAtLeast() {
        PairDecision late =
                with(absent(), with(USED, aNewPair().saving()).saved().decided())
                        .later(Duration.ofHours(1))
                        .decide();

        assertThat(creation(late)).map(Action.CreateSnapshot::name).contains(NAME);
        assertThat(late.status().registration()).isPresent();
        assertThat(messages(late, OperatorEvent.SAVEPOINT_ERROR)).isEmpty();
    }

    @Test
    void saysWhereTheFormerOneIsIfTheNextComesFirst() {
        SavepointRegistration former =
                new SavepointRegistration(
                        "orders-green-savepoint-upgrade-1",
                        "orders-green",
                        "s3://b/former",
                        SavepointFormat.CANONICAL,
                        false,
                        Pair.CREATED);
        Pair saving = with(absent(), aNewPair().saving());
        PairDecision saved =
                saving.withStatus(saving.observed().status().withRegistration(Optional.of(former)))
                        .saved()
                        .decide();

        assertThat(messages(saved, OperatorEvent.SAVEPOINT_ERROR))
                .singleElement()
                .asString()
                .contains("s3://b/former");
        assertThat(creation(saved)).map(Action.CreateSnapshot::name).contains(NAME);
    }

    @Test
    void leavesItInTheStatusWhereNoSnapshotsAreMade() {
        Stream.of(SnapshotUse.NONE, USED.withAreEnabled(false), USED.withAreServed(false))
                .map(use -> with(use, aNewPair().saving()).saved().decide())
                .forEach(
                        decision -> {
                            assertThat(decision.status().registration()).isEmpty();
                            assertThat(creation(decision)).isEmpty();
                            assertThat(
                                            decision.status()
                                                    .transition()
                                                    .orElseThrow()
                                                    .savepoint()
                                                    .orElseThrow()
                                                    .path())
                                    .contains(PATH);
                        });
    }

    /** They were served when it was recorded. */
    @Test
    void forgetsItWhereNoneAreServedAnyMore() {
        Pair recorded = with(USED, aNewPair().saving()).saved().decided();

        assertThat(with(SnapshotUse.NONE, recorded).decide().status().registration()).isEmpty();
    }

    /** The half registers what it is stopped with. */
    @Test
    void leavesTheSavepointOfAStopToTheHalf() {
        Pair stopping =
                with(USED, aPairThatStopsFirst().active(BLUE).wishing("image", "v2")).decided();
        PairDecision starts =
                stopping.with(
                                BLUE,
                                half(stopping.transition().id() + "-stop", Condition.SUSPENDED)
                                        .withLastState(Optional.of(PATH)))
                        .decide();

        assertThat(starts.status().transition().orElseThrow().savepoint().orElseThrow().path())
                .contains(PATH);
        assertThat(starts.status().registration()).isEmpty();
        assertThat(creation(starts)).isEmpty();
    }

    @Test
    void waitsForASavepointThatIsBeingMadeThoughTheSpecIsEdited() {
        Pair edited = with(USED, aNewPair().saving()).wishing("image", "v3");

        Stream.of(new AsyncResult.Pending(), new AsyncResult.Silent("timed out"))
                .forEach(
                        answer -> {
                            Pair asked = edited.answering(answer);
                            assertThat(asked.decided().phase()).isEqualTo(TransitionPhase.SAVING);
                            PairDecision late = asked.later(Pair.GRACE).decide();
                            assertThat(late.status().transition().orElseThrow().outcome())
                                    .contains(TransitionOutcome.SUPERSEDED);
                            assertThat(messages(late, OperatorEvent.SAVEPOINT_ERROR))
                                    .singleElement()
                                    .asString()
                                    .contains("has no FlinkStateSnapshot");
                        });

        PairDecision saved = edited.saved().decide();
        assertThat(saved.status().transition().orElseThrow().outcome())
                .contains(TransitionOutcome.SUPERSEDED);
        assertThat(saved.status().registration()).map(SavepointRegistration::path).contains(PATH);
        assertThat(creation(saved)).isPresent();
        assertThat(saved.actions()).hasSize(1);
    }

    @Test
    void waitsForNoSavepointThatNobodyRegisters() {
        Pair edited =
                aNewPair().saving().wishing("image", "v3").answering(new AsyncResult.Pending());

        assertThat(edited.decided().transition().outcome()).contains(TransitionOutcome.SUPERSEDED);
    }

    private static Pair with(SnapshotUse use, Pair pair) {
        return new Pair(pair.observed().withSnapshots(use));
    }

    private static SnapshotUse absent() {
        return USED.withRegistered(new SnapshotView.Absent());
    }

    private static SnapshotView complete() {
        return new SnapshotView.Complete(Optional.of(PATH));
    }

    private static Optional<Action.CreateSnapshot> creation(PairDecision decision) {
        return decision.actions().stream()
                .filter(PairAction.RegisterSavepoint.class::isInstance)
                .map(PairAction.RegisterSavepoint.class::cast)
                .map(PairAction.RegisterSavepoint::creation)
                .findFirst();
    }

    private static List<String> messages(PairDecision decision, OperatorEvent of) {
        return decision.events().stream()
                .filter(event -> event.of() == of)
                .map(ResourceEvent::message)
                .toList();
    }
}
