// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.api.status.bluegreen.HalfColor.GREEN;
import static io.sluice.operator.bluegreen.decide.Pair.PATH;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pairs as the Apache operator leaves them: no conditions, no transition, no annotations. */
class ApacheTransitionTest {
    private static Pair left(BlueGreenState state) {
        Pair pair = aNewPair();
        return pair.withStatus(
                FlinkBlueGreenDeploymentStatus.NEW
                        .with()
                        .blueGreenState(Optional.of(state))
                        .jobState(Optional.of(JobState.RUNNING))
                        .lastReconciledSpec(Optional.of(pair.observed().wish().encode()))
                        .build());
    }

    private static Half theirs(Condition condition) {
        return Pair.half("apache", condition)
                .with()
                .mark(Optional.empty())
                .spec(
                        Pair.yaml(
                                "{image: v1, job: {state: running, upgradeMode: savepoint,"
                                        + " initialSavepointPath: '"
                                        + PATH
                                        + "'}}"))
                .build();
    }

    @Test
    void leavesAPairAtRestAsItIs() {
        Pair pair = left(BlueGreenState.ACTIVE_GREEN).with(GREEN, theirs(Condition.STEADY));

        assertThat(pair.decide().actions()).isEmpty();
        assertThat(pair.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void asksForTheSavepointThatTheyAskedFor() {
        Pair saving = left(BlueGreenState.SAVEPOINTING_BLUE).with(BLUE, theirs(Condition.STEADY));
        Pair asked =
                saving.withStatus(
                                saving.observed()
                                        .status()
                                        .withSavepointTriggerId(Optional.of("trigger-1")))
                        .wishing("image", "v2")
                        .decided();

        assertThat(asked.phase()).isEqualTo(TransitionPhase.SAVING);
        assertThat(asked.transition().savepoint().orElseThrow().triggerId()).contains("trigger-1");
        assertThat(asked.saved().decide().actions())
                .hasOnlyElementsOfType(PairAction.CreateHalf.class);
    }

    /** B8. */
    @Test
    void doesNotUseATriggerThatIsLeftOfAFormerTransition() {
        Pair rest = left(BlueGreenState.ACTIVE_BLUE).with(BLUE, theirs(Condition.STEADY));
        Pair next =
                rest.withStatus(
                                rest.observed()
                                        .status()
                                        .withSavepointTriggerId(Optional.of("ancient")))
                        .wishing("image", "v2")
                        .decided();

        assertThat(next.observed().status().savepointTriggerId()).isPresent();
        assertThat(next.observed().status().savepointTriggerId())
                .isNotEqualTo(Optional.of("ancient"));
    }

    @Test
    void carriesATransitionOnInTheMiddle() {
        Pair starting =
                left(BlueGreenState.TRANSITIONING_TO_GREEN)
                        .with(BLUE, theirs(Condition.STEADY))
                        .with(GREEN, theirs(Condition.WORKING));
        Pair begun =
                starting.withStatus(
                        starting.observed()
                                .status()
                                .withAbortTimestamp(
                                        Optional.of(Pair.CREATED.plus(Duration.ofMinutes(3)))));
        assertThat(begun.decide().actions()).isEmpty();
        assertThat(begun.decided().transition().deadline())
                .contains(Pair.CREATED.plus(Duration.ofMinutes(3)));

        assertThat(begun.decided().with(GREEN, theirs(Condition.STEADY)).decided().phase())
                .isEqualTo(TransitionPhase.RETIRING);
        assertThat(begun.decided().later(Duration.ofMinutes(4)).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
    }

    /** B35. */
    @Test
    void givesATransitionWithoutADeadlineOne() {
        Pair starting =
                left(BlueGreenState.TRANSITIONING_TO_GREEN)
                        .with(BLUE, theirs(Condition.STEADY))
                        .with(GREEN, theirs(Condition.WORKING))
                        .decided();

        assertThat(starting.transition().deadline()).contains(Pair.CREATED.plus(Pair.GRACE));
    }

    @Test
    void takesAPatchOfTheOnlyHalfForAChangeInPlace() {
        Pair patched =
                left(BlueGreenState.TRANSITIONING_TO_GREEN)
                        .with(GREEN, theirs(Condition.WORKING))
                        .decided();

        assertThat(patched.phase()).isEqualTo(TransitionPhase.IN_PLACE);
        assertThat(patched.decide().actions()).isEmpty();
        assertThat(patched.with(GREEN, theirs(Condition.STEADY)).decided().state())
                .isEqualTo(BlueGreenState.ACTIVE_GREEN);
    }

    /** B1, B7: what the active half has is what it says itself. */
    @Test
    void doesNotTakeASpecThatWasGivenUpForTheOneInForce() {
        Pair pair = left(BlueGreenState.ACTIVE_BLUE).wishing("image", "v2");
        Pair failed =
                pair.withStatus(
                                pair.observed()
                                        .status()
                                        .with()
                                        .jobState(Optional.of(JobState.FAILING))
                                        .error(Optional.of("aborted"))
                                        .lastReconciledSpec(
                                                Optional.of(pair.observed().wish().encode()))
                                        .build())
                        .with(BLUE, theirs(Condition.STEADY))
                        .with(GREEN, theirs(Condition.SUSPENDED).withWantsToRun(false));

        assertThat(failed.decide().reason()).isEqualTo(Reason.PAIR_FAILED);
        assertThat(failed.decide().actions()).isEmpty();
        assertThat(failed.decided().wishing("image", "v3").decide().actions())
                .as("it is deleted, never resumed")
                .hasOnlyElementsOfType(PairAction.DeleteHalf.class);
    }
}
