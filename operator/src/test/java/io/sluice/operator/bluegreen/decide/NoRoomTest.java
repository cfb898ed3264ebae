// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.api.status.bluegreen.HalfColor.GREEN;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static io.sluice.operator.bluegreen.decide.Pair.aPairThatStopsFirst;
import static io.sluice.operator.bluegreen.decide.Pair.aStatelessPair;
import static io.sluice.operator.bluegreen.decide.Pair.half;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decision 14: the ResourceQuotas of the namespace can't hold both halves. */
class NoRoomTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void beginsNothingAndTellsWhatLacksOnce() {
        Pair full = aNewPair().active(BLUE).wishing("image", "v2").withRoom(Pair.FULL);

        PairDecision decision = full.decide();

        assertThat(decision.reason()).isEqualTo(Reason.PAIR_NO_ROOM);
        assertThat(decision.reason().outlook()).isEqualTo(Reason.Outlook.STALLED);
        assertThat(decision.detail())
                .isEqualTo("ResourceQuota 'team' leaves 1 of pods, and a second half takes 2.");
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().transition()).isEmpty();
        assertThat(decision.status().blueGreenState()).contains(BlueGreenState.ACTIVE_BLUE);
        assertThat(decision.status().jobState()).contains(JobState.RUNNING);
        assertThat(decision.events())
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("NoRoomForBoth"))
                .satisfies(event -> assertThat(event.message()).contains("team", "stop-first"));
        assertThat(decision.checkAgain()).as("nobody tells of room").isPresent();
        assertThat(full.decided().decide().events()).isEmpty();
    }

    @Test
    void beginsOnceThereIsRoomHoweverLate() {
        Pair waiting =
                aNewPair()
                        .active(BLUE)
                        .wishing("image", "v2")
                        .withRoom(Pair.FULL)
                        .decided()
                        .later(Duration.ofDays(3));
        assertThat(waiting.decide().reason()).isEqualTo(Reason.PAIR_NO_ROOM);

        Pair saving = waiting.withRoom(Room.NOT_ASKED).decided();

        assertThat(saving.phase()).isEqualTo(TransitionPhase.SAVING);
        assertThat(saving.transition().deadline())
                .as("the time that was waited does not count")
                .contains(saving.observed().now().plus(Pair.GRACE));
    }

    @Test
    void stopsTheActiveHalfFirstIfTheUserPrefersThat() {
        Pair full = aNewPair().active(BLUE).wishing("image", "v2").withRoom(Pair.FULL).decided();

        Pair stopping = full.configured("bluegreen.handover", "stop-first").decided();

        assertThat(stopping.phase()).isEqualTo(TransitionPhase.SAVING);
        assertThat(stopping.onlyAction(PairAction.ApplyHalf.class).color()).isEqualTo(BLUE);
    }

    @Test
    void forgetsAnEditThatIsTakenBackAndDoesOneThatNeedsNoSecondHalf() {
        Pair full = aNewPair().active(BLUE).wishing("image", "v2").withRoom(Pair.FULL).decided();

        assertThat(full.wishing("image", "v1").decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(full.wishing("image", "v1").wishingJob("state", "suspended").decided().phase())
                .isEqualTo(TransitionPhase.IN_PLACE);
    }

    @Test
    void makesNoStatelessHalfEither() {
        PairDecision decision =
                aStatelessPair()
                        .active(BLUE)
                        .with(BLUE, new HalfView.Absent())
                        .wishing("image", "v2")
                        .withRoom(Pair.FULL)
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.PAIR_NO_ROOM);
        assertThat(decision.actions()).isEmpty();
    }

    /** B33: that takes no second half. */
    @Test
    void changesAnActiveHalfThatCannotBeSavedInPlace() {
        Pair broken =
                aNewPair()
                        .active(BLUE)
                        .with(BLUE, half("former", Condition.BROKEN))
                        .wishing("image", "v2")
                        .withRoom(Pair.FULL);

        assertThat(broken.decided().phase()).isEqualTo(TransitionPhase.IN_PLACE);
    }

    /** What is left of an aborted half is deleted first, so that it does not count. */
    @Test
    void endsATransitionOfWhichNothingButThePreparationWasDone() {
        Pair clearing =
                aNewPair()
                        .active(BLUE)
                        .with(GREEN, half("old", Condition.SUSPENDED))
                        .wishing("image", "v2")
                        .decided();
        assertThat(clearing.phase()).isEqualTo(TransitionPhase.PREPARING);
        Pair full = clearing.with(GREEN, new HalfView.Absent()).withRoom(Pair.FULL);

        assertThat(full.decide().reason()).isEqualTo(Reason.PAIR_NO_ROOM);
        assertThat(full.decided().transition().outcome()).contains(TransitionOutcome.SUPERSEDED);
        assertThat(full.decided().observed().status().jobState()).contains(JobState.RUNNING);

        Pair later = full.decided().withRoom(Room.NOT_ASKED).decided();
        assertThat(later.phase()).isEqualTo(TransitionPhase.SAVING);
        assertThat(later.transition().id()).isNotEqualTo(clearing.transition().id());
    }

    /** No request in steady state, none for what takes one half at a time, and one for the rest. */
    @Test
    void asksForRoomOnlyBeforeTheFirstStepToASecondHalf() {
        Pair edited = aNewPair().active(BLUE).wishing("image", "v2");
        Stream.of(
                        edited,
                        edited.withRoom(Pair.FULL).decided(),
                        aStatelessPair().active(BLUE).wishing("image", "v2"),
                        edited.with(GREEN, half("old", Condition.SUSPENDED))
                                .decided()
                                .with(GREEN, new HalfView.Absent()))
                .forEach(
                        pair ->
                                assertThat(PairDecider.secondHalf(pair.observed()))
                                        .as("%s", pair)
                                        .isPresent());
        Pair starting = aNewPair().starting();
        Stream.of(
                        aNewPair(),
                        aNewPair().active(BLUE),
                        aNewPair().active(BLUE).wishingJob("state", "suspended"),
                        edited.with(BLUE, half("former", Condition.WORKING)),
                        edited.with(GREEN, half("old", Condition.SUSPENDED)),
                        edited.objectedTo("spec is wrong"),
                        aPairThatStopsFirst().active(BLUE).wishing("image", "v2"),
                        aNewPair().saving(),
                        aNewPair().saving().saved(),
                        starting,
                        starting.later(MINUTE).withNew(Condition.WORKING),
                        aNewPair().started(),
                        aNewPair().started().later(MINUTE),
                        starting.wishing("image", "v3"))
                .forEach(
                        pair ->
                                assertThat(PairDecider.secondHalf(pair.observed()))
                                        .as("%s", pair)
                                        .isEmpty());
        assertThat(PairDecider.secondHalf(edited.observed()).flatMap(half -> half.spec().image()))
                .as("by what is to be made")
                .contains("v2");
    }
}
