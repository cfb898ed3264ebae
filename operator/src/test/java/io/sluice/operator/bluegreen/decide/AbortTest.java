// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.api.status.bluegreen.HalfColor.GREEN;
import static io.sluice.operator.bluegreen.decide.Pair.GRACE;
import static io.sluice.operator.bluegreen.decide.Pair.PATH;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static io.sluice.operator.bluegreen.decide.Pair.aPairThatStopsFirst;
import static io.sluice.operator.bluegreen.decide.Pair.half;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A transition that is not carried through, and what stays of it. */
class AbortTest {
    private static Pair starting() {
        return aNewPair().starting();
    }

    private static Pair aborted() {
        Pair aborting = starting().later(GRACE).withNew(Condition.WORKING).decided();
        return aborting.with(
                        GREEN, half(Abort.mark(aborting.transition().id()), Condition.SUSPENDED))
                .decided();
    }

    @Test
    void suspendsAHalfThatDoesNotRunInTimeAndLeavesTheActiveOneAlone() {
        Pair late = starting().later(GRACE).withNew(Condition.WORKING);

        assertThat(late.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.ApplyHalf.class,
                        apply -> {
                            assertThat(apply.color()).isEqualTo(GREEN);
                            assertThat(apply.plan().spec().at("/job/state").asText())
                                    .isEqualTo("suspended");
                            assertThat(apply.plan().spec().at("/job/upgradeMode").asText())
                                    .as("it needs no state of a job that may not even run")
                                    .isEqualTo("stateless");
                        });
        assertThat(aborted().state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
        assertThat(aborted().observed().status().jobState()).contains(JobState.FAILING);
        assertThat(aborted().transition().outcome()).contains(TransitionOutcome.ABORTED);
        assertThat(aborted().decide().reason()).isEqualTo(Reason.PAIR_FAILED);
        assertThat(aborted().decide().actions()).isEmpty();
    }

    /** B21. */
    @Test
    void abortsAtOnceIfTheHalfHasFailedForGood() {
        assertThat(starting().withNew(Condition.BROKEN).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
    }

    @Test
    void abortsAtOnceIfTheHalfIsRefused() {
        Pair refused = starting().refused("exceeded quota").decided();

        assertThat(refused.state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
        assertThat(refused.observed().status().error()).contains("exceeded quota");
    }

    /** B1. */
    @Test
    void makesAnAbortedHalfAnewInsteadOfResumingIt() {
        Pair next = aborted().wishing("image", "v3");

        assertThat(next.onlyAction(PairAction.DeleteHalf.class).color()).isEqualTo(GREEN);
        assertThat(next.decided().decide().actions())
                .as("until it is gone, nothing else is done")
                .hasOnlyElementsOfType(PairAction.DeleteHalf.class);
        assertThat(next.decided().with(GREEN, new HalfView.Absent()).decided().phase())
                .isEqualTo(TransitionPhase.SAVING);
    }

    /** B2. */
    @Test
    void neverAbortsAChangeInPlace() {
        Pair changing = aNewPair().active(BLUE).wishingJob("upgradeMode", "last-state").decided();
        assertThat(changing.phase()).isEqualTo(TransitionPhase.IN_PLACE);
        assertThat(changing.state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);

        PairDecision late =
                changing.withNew(Condition.WORKING).later(GRACE.multipliedBy(3)).decide();

        assertThat(late.actions()).isEmpty();
        assertThat(late.status().blueGreenState()).contains(BlueGreenState.ACTIVE_BLUE);
        assertThat(late.reason()).isEqualTo(Reason.PAIR_ACTIVE_FAILED);
    }

    /** B2: a victim of that has no active half on record, and yet it is not started anew. */
    @Test
    void takesAHalfThatHasRunForTheActiveOne() {
        Pair victim =
                aNewPair()
                        .withStatus(
                                aNewPair()
                                        .observed()
                                        .status()
                                        .withBlueGreenState(
                                                Optional.of(BlueGreenState.INITIALIZING_BLUE)))
                        .with(GREEN, half("former", Condition.SUSPENDED))
                        .decided();

        assertThat(victim.state()).isEqualTo(BlueGreenState.ACTIVE_GREEN);
    }

    /** B7. */
    @Test
    void doesNothingIfTheWishIsAgainWhatTheActiveHalfHas() {
        PairDecision reverted = aborted().wishing("image", "v1").decide();

        assertThat(reverted.actions()).isEmpty();
        assertThat(reverted.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(reverted.status().jobState()).contains(JobState.RUNNING);
        assertThat(reverted.status().error()).isEmpty();
    }

    /** B32. */
    @Test
    void beginsAgainFromTheActiveHalfIfTheSpecIsEditedMeanwhile() {
        Pair edited = starting().withNew(Condition.WORKING).wishing("image", "v3");

        assertThat(edited.onlyAction(PairAction.DeleteHalf.class).color()).isEqualTo(GREEN);
        Pair gone =
                edited.decided().with(GREEN, new HalfView.Leaving("uid-green")).decided().decided();
        assertThat(gone.decide().reason()).isEqualTo(Reason.WAITING_FOR_REMOVAL);
        Pair again = gone.with(GREEN, new HalfView.Absent()).decided();
        assertThat(again.phase()).isEqualTo(TransitionPhase.SAVING);
        assertThat(again.recordedImage()).isEqualTo("v3");
    }

    /** B31. */
    @Test
    void endsTheTransitionBeforeTheActiveHalfIsSuspended() {
        Pair suspended =
                starting()
                        .withNew(Condition.WORKING)
                        .wishingJob("state", "suspended")
                        .decided()
                        .with(GREEN, new HalfView.Absent())
                        .decided();

        assertThat(suspended.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.ApplyHalf.class,
                        apply -> {
                            assertThat(apply.color()).isEqualTo(BLUE);
                            assertThat(apply.plan().spec().path("image").asText()).isEqualTo("v2");
                        });
    }

    @Test
    void saysSoIfThereIsNoHalfToGoBackTo() {
        Pair lost =
                starting().withNew(Condition.BROKEN).with(BLUE, half("former", Condition.BROKEN));

        assertThat(lost.decide().reason()).isEqualTo(Reason.PAIR_NEITHER);
        assertThat(lost.decide().actions()).isEmpty();
        assertThat(lost.decided().with(BLUE, Pair.steady("former")).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
        assertThat(lost.decided().wishing("image", "v3").decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
    }

    @Test
    void stopsTheActiveHalfWithASavepointBeforeTheOtherOneIsMade() {
        Pair stopping = aPairThatStopsFirst().saving();
        assertThat(stopping.phase()).isEqualTo(TransitionPhase.SAVING);
        String mark = ActiveHalfSavepoint.stopMark(stopping.transition());

        Pair stillStopping = stopping.with(BLUE, half(mark, Condition.WORKING));
        assertThat(stillStopping.decide().actions()).isEmpty();

        Half stopped = half(mark, Condition.SUSPENDED).withLastState(Optional.of(PATH));
        assertThat(
                        Pair.path(
                                stopping.with(BLUE, stopped)
                                        .onlyAction(PairAction.CreateHalf.class)
                                        .plan()))
                .isEqualTo(PATH);

        Pair unknown = stopping.with(BLUE, half(mark, Condition.SUSPENDED)).decided();
        assertThat(unknown.phase())
                .as("it is never started from nothing")
                .isEqualTo(TransitionPhase.RESUMING);
    }

    /** It goes on from its own state if the other half does not come up. */
    @Test
    void keepsTheStateOfTheActiveHalfThatIsStoppedForARedeployment() {
        Pair redeployed =
                aPairThatStopsFirst().active(BLUE).wishingJob("savepointRedeployNonce", "1");

        var spec = redeployed.onlyAction(PairAction.ApplyHalf.class).plan().spec();
        assertThat(spec.at("/job/state").asText()).isEqualTo("suspended");
        assertThat(spec.at("/job/upgradeMode").asText()).isEqualTo("savepoint");
    }

    @Test
    void resumesTheStoppedHalfOnceTheOtherOneIsGone() {
        Pair stopping = aPairThatStopsFirst().saving();
        Half stopped =
                half(ActiveHalfSavepoint.stopMark(stopping.transition()), Condition.SUSPENDED)
                        .withLastState(Optional.of(PATH));
        Pair aborting = stopping.with(BLUE, stopped).decided().withNew(Condition.BROKEN).decided();
        String mark = Abort.mark(aborting.transition().id());

        Pair ending = aborting.with(GREEN, half(mark, Condition.WORKING));
        assertThat(ending.decide().actions()).isEmpty();

        Pair resuming = aborting.with(GREEN, half(mark, Condition.SUSPENDED));
        assertThat(resuming.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.ApplyHalf.class,
                        apply -> {
                            assertThat(apply.color()).isEqualTo(BLUE);
                            assertThat(apply.plan().spec().at("/job/state").asText())
                                    .isEqualTo("running");
                            assertThat(apply.plan().spec().path("image").asText()).isEqualTo("v1");
                        });
        Pair resumed =
                resuming.decided()
                        .with(
                                BLUE,
                                half(aborting.transition().id() + "-resumed", Condition.WORKING))
                        .decided();
        assertThat(resumed.state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
        assertThat(resumed.observed().status().jobState()).contains(JobState.FAILING);
    }

    @Test
    void deletesAnAbortedHalfThatCannotBeSuspendedInTime() {
        Pair aborting = starting().withNew(Condition.BROKEN).decided();
        String mark = Abort.mark(aborting.transition().id());

        Pair late =
                aborting.with(GREEN, half(mark, Condition.WORKING))
                        .later(GRACE.plus(Duration.ofSeconds(1)));
        assertThat(late.onlyAction(PairAction.DeleteHalf.class))
                .isEqualTo(new PairAction.DeleteHalf(GREEN, "uid-" + mark));
    }
}
