// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.api.status.bluegreen.HalfColor.GREEN;
import static io.sluice.operator.bluegreen.decide.Pair.PATH;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static io.sluice.operator.bluegreen.decide.Pair.aStatelessPair;
import static io.sluice.operator.bluegreen.decide.Pair.half;
import static io.sluice.operator.bluegreen.decide.Pair.steady;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A transition during which both halves run. */
class OverlapTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void startsBlueAndNoOtherHalf() {
        PairDecision decision = aNewPair().decide();

        assertThat(decision.reason()).isEqualTo(Reason.PAIR_FIRST);
        assertThat(decision.status().blueGreenState())
                .contains(BlueGreenState.TRANSITIONING_TO_BLUE);
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.CreateHalf.class,
                        create -> assertThat(create.color()).isEqualTo(BLUE));

        Pair active = aNewPair().decided().withNew(Condition.STEADY).decided();
        assertThat(active.state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
        assertThat(active.observed().status().jobState()).contains(JobState.RUNNING);
        assertThat(active.decide().actions()).isEmpty();
        assertThat(active.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void goesOverToGreenThroughASavepointOfBlue() {
        Pair saving = aNewPair().saving();
        assertThat(saving.state()).isEqualTo(BlueGreenState.SAVEPOINTING_BLUE);
        assertThat(saving.observed().status().savepointTriggerId())
                .isEqualTo(saving.transition().savepoint().orElseThrow().triggerId());
        assertThat(PairSpec.decode(saving.observed().status().lastReconciledSpec().orElseThrow()))
                .as("the Apache operator takes a spec for acted on once it is there")
                .isNotEqualTo(Optional.of(saving.observed().wish()));

        PairDecision starts = saving.saved().decide();
        assertThat(starts.status().blueGreenState())
                .contains(BlueGreenState.TRANSITIONING_TO_GREEN);
        assertThat(starts.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.CreateHalf.class,
                        create -> {
                            assertThat(create.color()).isEqualTo(GREEN);
                            assertThat(create.plan().spec().path("image").asText()).isEqualTo("v2");
                            assertThat(
                                            create.plan()
                                                    .spec()
                                                    .at("/job/initialSavepointPath")
                                                    .asText())
                                    .isEqualTo(PATH);
                        });

        Pair retiring = saving.saved().decided().withNew(Condition.STEADY).decided();
        assertThat(retiring.phase()).isEqualTo(TransitionPhase.RETIRING);

        PairDecision removal = retiring.later(MINUTE).decide();
        assertThat(removal.status().transition().orElseThrow().formerUid())
                .as("it is on record before it is deleted")
                .contains("uid-former");
        assertThat(removal.actions())
                .containsExactly(new PairAction.DeleteHalf(BLUE, "uid-former"));

        Pair over = retiring.later(MINUTE).decided().with(BLUE, new HalfView.Leaving("uid-former"));
        assertThat(over.decided().state()).isEqualTo(BlueGreenState.ACTIVE_GREEN);
        assertThat(over.decided().transition().outcome()).contains(TransitionOutcome.PROMOTED);
        assertThat(over.decided().observed().status().activeSpec()).isEmpty();
    }

    /** B5. */
    @Test
    void keepsAWishThatComesWhileTheActiveHalfRestarts() {
        Pair waiting =
                aNewPair()
                        .active(BLUE)
                        .with(BLUE, half("former", Condition.WORKING))
                        .wishing("image", "v2")
                        .decided();
        assertThat(waiting.decide().reason()).isEqualTo(Reason.PAIR_WAITING);
        assertThat(waiting.observed().status().jobState()).contains(JobState.RECONCILING);

        assertThat(waiting.later(MINUTE).with(BLUE, steady("former")).decided().phase())
                .isEqualTo(TransitionPhase.SAVING);
    }

    /** B33. */
    @Test
    void givesAnActiveHalfThatCannotBeSavedTheNewSpecInPlace() {
        Pair failed =
                aNewPair()
                        .active(BLUE)
                        .with(BLUE, half("former", Condition.BROKEN))
                        .wishing("image", "v2");

        PairDecision decision = failed.decide();

        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.ApplyHalf.class,
                        apply -> assertThat(apply.color()).isEqualTo(BLUE));
        assertThat(decision.events()).anyMatch(it -> it.reason().equals("ChangedInPlace"));
    }

    /** B8: each transition has a trigger of its own. */
    @Test
    void asksForEachSavepointUnderAnotherName() {
        Pair first = aNewPair().saving();
        Pair second = first.wishing("image", "v3").decided().decided();

        assertThat(second.phase()).isEqualTo(TransitionPhase.SAVING);
        assertThat(second.transition().savepoint().orElseThrow().triggerId())
                .isNotEqualTo(first.transition().savepoint().orElseThrow().triggerId());
    }

    @Test
    void asksAgainUnderTheSameNameIfTheRequestWasLost() {
        Pair saving = aNewPair().saving();

        assertThat(saving.answering(new AsyncResult.Unknown()).decide().actions())
                .isEqualTo(aNewPair().active(BLUE).wishing("image", "v2").decide().actions());
    }

    @Test
    void triesAFailedSavepointAgainFiveTimesAndThenGivesUpUntilAnEdit() {
        Pair saving =
                aNewPair()
                        .active(BLUE)
                        .configured("bluegreen.abort.grace-period", "1 h")
                        .wishing("image", "v2")
                        .decided();
        int tries = 1;
        while (saving.phase() == TransitionPhase.SAVING) {
            assertThat(saving.transition().savepoint().orElseThrow().tries()).isEqualTo(tries);
            Pair failed = saving.answering(new AsyncResult.Failed("disk full")).decided();
            saving =
                    failed.phase() == TransitionPhase.SAVING
                            ? failed.later(Duration.ofMinutes(5)).decided()
                            : failed;
            tries++;
        }
        assertThat(tries).isEqualTo(6);
        assertThat(saving.state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
        assertThat(saving.observed().status().jobState()).contains(JobState.FAILING);
        assertThat(saving.decide().reason()).isEqualTo(Reason.PAIR_FAILED);
        assertThat(saving.decide().actions()).isEmpty();
        assertThat(saving.wishing("image", "v3").decided().phase())
                .isEqualTo(TransitionPhase.SAVING);
    }

    /** B10. */
    @Test
    void startsAStatelessHalfFromNothingThatTheTemplateNames() {
        PairDecision decision =
                aStatelessPair()
                        .wishingJob("initialSavepointPath", "s3://b/ancient")
                        .active(BLUE)
                        .wishing("image", "v2")
                        .decide();

        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.CreateHalf.class,
                        create ->
                                assertThat(create.plan().spec().path("job").fieldNames())
                                        .toIterable()
                                        .doesNotContain("initialSavepointPath"));
    }

    @Test
    void redeploysFromTheSavepointOfTheTemplate() {
        PairDecision decision =
                aNewPair()
                        .active(BLUE)
                        .wishingJob("initialSavepointPath", "s3://b/chosen")
                        .wishingJob("savepointRedeployNonce", "1")
                        .decide();

        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.CreateHalf.class,
                        create ->
                                assertThat(
                                                create.plan()
                                                        .spec()
                                                        .at("/job/initialSavepointPath")
                                                        .asText())
                                        .isEqualTo("s3://b/chosen"));
    }

    /** B27. */
    @Test
    void givesEachHalfAnIngressOfItsOwn() {
        assertThat(HalfSpec.prefixed("https://h.example/{{name}}", GREEN))
                .isEqualTo("https://green-h.example/{{name}}");
        assertThat(HalfSpec.prefixed("{{name}}.example", BLUE)).isEqualTo("blue-{{name}}.example");
        assertThat(HalfSpec.prefixed("/p", BLUE)).isEqualTo("/blue-p");
    }

    @Test
    void leadsTheIngressToThePromotedHalfBeforeTheFormerOneGoes() {
        Pair promoted = aNewPair().starting().withNew(Condition.STEADY).misled(GREEN);

        assertThat(promoted.decide().actions()).containsExactly(new PairAction.LeadTo(GREEN));
        assertThat(promoted.decided().later(MINUTE).decide().reason())
                .isEqualTo(Reason.PAIR_PROMOTING);
        assertThat(promoted.decided().later(MINUTE).misled().decided().phase())
                .isEqualTo(TransitionPhase.REMOVING);
    }

    /** B12. */
    @Test
    void removesTheFormerHalfOnceTheOtherOneHasRunWithoutABreak() {
        Pair retiring =
                aNewPair().configured("bluegreen.deployment-deletion.delay", "5 min").started();

        assertThat(retiring.later(MINUTE).decided().phase()).isEqualTo(TransitionPhase.RETIRING);
        assertThat(retiring.later(MINUTE.multipliedBy(5)).decided().phase())
                .isEqualTo(TransitionPhase.REMOVING);
        Pair back = retiring.later(MINUTE).withNew(Condition.WORKING).decided();
        assertThat(back.phase()).as("blue still runs").isEqualTo(TransitionPhase.ABORTING);
    }

    /** B11: {@code HalfReaderTest} shows that a former generation is never steady. */
    @Test
    void doesNotTakeAHalfOfAnotherTransitionForItsOwn() {
        Pair starting = aNewPair().starting();

        PairDecision decision = starting.with(GREEN, steady("another")).decide();

        assertThat(decision.status().transition().orElseThrow().phase())
                .isEqualTo(TransitionPhase.ABORTING);
    }

    /** B13. */
    @Test
    void doesNotGoBackOnceTheRemovalIsOnRecord() {
        Pair removing = aNewPair().started().later(MINUTE).decided();

        PairDecision blinking = removing.withNew(Condition.WORKING).decide();
        assertThat(blinking.actions())
                .containsExactly(new PairAction.DeleteHalf(BLUE, "uid-former"));
        assertThat(
                        removing.withNew(Condition.WORKING)
                                .with(BLUE, new HalfView.Absent())
                                .decided()
                                .state())
                .isEqualTo(BlueGreenState.ACTIVE_GREEN);
    }

    /** B15. */
    @Test
    void waitsUntilTheFormerHalfIsGoneBeforeTheNextTransition() {
        Pair leaving =
                aNewPair()
                        .active(GREEN)
                        .with(BLUE, new HalfView.Leaving("uid-old"))
                        .wishing("image", "v2");

        assertThat(leaving.decide().reason()).isEqualTo(Reason.WAITING_FOR_REMOVAL);
        assertThat(leaving.decide().actions()).isEmpty();
        assertThat(leaving.decided().later(Pair.GRACE).decide().reason())
                .isEqualTo(Reason.REMOVAL_OVERDUE);
        assertThat(leaving.decided().with(BLUE, new HalfView.Absent()).decided().phase())
                .isEqualTo(TransitionPhase.SAVING);
    }
}
