// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.api.status.bluegreen.HalfColor.GREEN;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static io.sluice.operator.bluegreen.decide.Pair.aStatelessPair;
import static io.sluice.operator.bluegreen.decide.Pair.half;
import static io.sluice.operator.bluegreen.decide.Pair.steady;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The active half at rest, and edits that do not need another one. */
class ChangesInPlaceTest {
    /** As one that was created so late that its transition was over. */
    @Test
    void suspendsAHalfThatRunsBesideASuspendedOne() {
        Pair suspended =
                aNewPair()
                        .active(BLUE)
                        .wishingJob("state", "suspended")
                        .decided()
                        .withNew(Condition.SUSPENDED)
                        .decided()
                        .with(GREEN, Pair.steady("late"));

        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(suspended.onlyAction(PairAction.ApplyHalf.class).color()).isEqualTo(GREEN);
    }

    @Test
    void suspendsAndResumesTheActiveHalfInPlace() {
        Pair suspending = aNewPair().active(BLUE).wishingJob("state", "suspended");
        assertThat(suspending.decide().actions())
                .singleElement()
                .isInstanceOf(PairAction.ApplyHalf.class);

        Pair suspended = suspending.decided().withNew(Condition.SUSPENDED).decided();
        assertThat(suspended.state()).isEqualTo(BlueGreenState.ACTIVE_BLUE);
        assertThat(suspended.observed().status().jobState()).contains(JobState.SUSPENDED);
        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);

        Pair changed = suspended.wishing("image", "v2");
        assertThat(changed.decide().actions())
                .as("while it is suspended, it gets whatever is asked for")
                .singleElement()
                .isInstanceOf(PairAction.ApplyHalf.class);

        Pair resumed =
                changed.decided()
                        .withNew(Condition.SUSPENDED)
                        .decided()
                        .wishingJob("state", "running")
                        .decided()
                        .withNew(Condition.STEADY)
                        .decided();
        assertThat(resumed.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    /** The path that a half was started from says nothing to one that has run. */
    @Test
    void leavesThePathAloneThatTheHalfWasStartedFrom() {
        Pair active =
                aNewPair()
                        .active(BLUE)
                        .with(
                                BLUE,
                                steady("former")
                                        .withSpec(
                                                Pair.yaml(
                                                        "{image: v1, job: {initialSavepointPath:"
                                                                + " 's3://b/own'}}")));

        assertThat(active.wishingJob("upgradeMode", "last-state").decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.ApplyHalf.class,
                        apply ->
                                assertThat(
                                                apply.plan()
                                                        .spec()
                                                        .at("/job/initialSavepointPath")
                                                        .asText())
                                        .isEqualTo("s3://b/own"));
    }

    @Test
    void repeatsTheChangeUntilTheHalfBearsItsMark() {
        Pair changing = aNewPair().active(BLUE).wishingJob("upgradeMode", "last-state").decided();

        assertThat(changing.decide().actions())
                .as("the process ended before the half was changed")
                .hasOnlyElementsOfType(PairAction.ApplyHalf.class);
        assertThat(changing.withNew(Condition.WORKING).decide().actions()).isEmpty();
    }

    /** B22. */
    @Test
    void mirrorsWhatTheActiveHalfDoes() {
        Pair active = aNewPair().active(BLUE);

        Pair failed = active.with(BLUE, half("former", Condition.BROKEN)).decided();
        assertThat(failed.decide().reason()).isEqualTo(Reason.PAIR_ACTIVE_FAILED);
        assertThat(failed.observed().status().jobState()).contains(JobState.FAILING);
        assertThat(failed.with(BLUE, half("former", Condition.WORKING)).decide().reason())
                .isEqualTo(Reason.PAIR_WAITING);
        assertThat(active.with(BLUE, half("former", Condition.FINISHED)).decide().reason())
                .isEqualTo(Reason.JOB_FINISHED);
        Pair well = failed.with(BLUE, steady("former")).decided();
        assertThat(well.observed().status().jobState()).contains(JobState.RUNNING);
        assertThat(well.observed().status().error()).isEmpty();
    }

    /** B16. */
    @Test
    void doesNotStartAHalfThatWasDeletedWithoutItsState() {
        Pair missing = aNewPair().active(BLUE).with(BLUE, new HalfView.Absent());

        assertThat(missing.decide().reason()).isEqualTo(Reason.PAIR_ACTIVE_MISSING);
        assertThat(missing.decide().actions()).isEmpty();
        assertThat(missing.wishing("image", "v2").decide().reason())
                .isEqualTo(Reason.PAIR_ACTIVE_MISSING);
        assertThat(
                        missing.wishingJob("initialSavepointPath", "s3://b/1")
                                .wishingJob("savepointRedeployNonce", "1")
                                .decide()
                                .actions())
                .as("the way out that the condition names")
                .hasOnlyElementsOfType(PairAction.CreateHalf.class);
    }

    @Test
    void makesADeletedHalfWithoutStateAgain() {
        Pair missing = aStatelessPair().active(GREEN).with(GREEN, new HalfView.Absent());

        assertThat(missing.onlyAction(PairAction.CreateHalf.class).color()).isEqualTo(GREEN);
    }

    /** B17. */
    @Test
    void leavesAFlinkDeploymentOfSomebodyElseAlone() {
        Pair first = aNewPair().with(BLUE, new HalfView.Foreign("uid-foreign"));
        assertThat(first.decide().actions()).isEmpty();
        assertThat(first.decide().reason()).isEqualTo(Reason.PAIR_NAME_OCCUPIED);

        Pair other =
                aNewPair()
                        .active(BLUE)
                        .with(GREEN, new HalfView.Foreign("uid-foreign"))
                        .wishing("image", "v2");
        assertThat(other.decide().actions()).isEmpty();
        assertThat(other.decided().decide().reason()).isEqualTo(Reason.PAIR_NAME_OCCUPIED);
        assertThat(other.decided().with(GREEN, new HalfView.Absent()).decided().phase())
                .isEqualTo(TransitionPhase.SAVING);
    }

    /** B4. */
    @Test
    void startsAPairThatWasSuspendedFromTheStart() {
        Pair suspended = aNewPair().wishingJob("state", "suspended").decided();
        assertThat(suspended.state()).isEqualTo(BlueGreenState.INITIALIZING_BLUE);
        assertThat(suspended.observed().status().jobState()).contains(JobState.SUSPENDED);

        assertThat(suspended.wishingJob("state", "running").decide().actions())
                .hasOnlyElementsOfType(PairAction.CreateHalf.class);
    }

    /** B4. */
    @Test
    void goesOnTryingWithAFirstHalfThatDoesNotRun() {
        Pair failed = aNewPair().decided().withNew(Condition.BROKEN).decided();
        assertThat(failed.decide().reason()).isEqualTo(Reason.PAIR_FIRST_FAILED);
        assertThat(failed.observed().status().jobState()).contains(JobState.FAILING);

        Pair edited = failed.wishing("image", "v2");
        assertThat(edited.decide().actions()).hasOnlyElementsOfType(PairAction.ApplyHalf.class);
        assertThat(edited.decided().withNew(Condition.STEADY).decided().state())
                .isEqualTo(BlueGreenState.ACTIVE_BLUE);
    }

    @Test
    void goesOnWithTheSpecOnRecordIfTheNewOneIsInvalid() {
        Pair saving = aNewPair().saving();
        Pair invalid = saving.wishing("image", "v3").objectedTo("image-allowed: no").saved();

        assertThat(invalid.decide().reason()).isEqualTo(Reason.SPEC_INVALID);
        assertThat(invalid.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        PairAction.CreateHalf.class,
                        create ->
                                assertThat(create.plan().spec().path("image").asText())
                                        .isEqualTo("v2"));
        assertThat(aNewPair().objectedTo("no").decide().actions()).isEmpty();
    }

    @Test
    void isNotHeldUpOnlyBecauseNoValidatorAnswers() {
        Pair active = aNewPair().active(BLUE);

        assertThat(active.objectedTo(Reason.VALIDATION_FAILED).decide().reason())
                .isEqualTo(Reason.JOB_RUNNING);
        assertThat(active.objectedTo(Reason.VALIDATING).decide().reason())
                .isEqualTo(Reason.JOB_RUNNING);
        assertThat(active.wishing("image", "v2").objectedTo(Reason.VALIDATING).decide())
                .extracting(PairDecision::reason, PairDecision::actions)
                .containsExactly(Reason.VALIDATING, List.of());
        assertThat(aNewPair().objectedTo(Reason.VALIDATING).decide().actions()).isEmpty();
    }

    @Test
    void createsARefusedHalfAgainAfterAPause() {
        Pair refused = aNewPair().decided().refused("exceeded quota");

        assertThat(refused.decide().reason()).isEqualTo(Reason.PAIR_FIRST_FAILED);
        assertThat(refused.decide().actions()).isEmpty();
        assertThat(refused.later(Duration.ofMinutes(1)).decide().actions())
                .hasOnlyElementsOfType(PairAction.CreateHalf.class);
    }

    @Test
    void doesNothingForAPairThatIsBeingDeleted() {
        Pair active = aNewPair().active(BLUE).wishing("image", "v2");
        Pair deleted =
                new Pair(
                        active.observed()
                                .withIdentity(active.observed().identity().withDeleting(true)));

        assertThat(deleted.decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(deleted.decide().actions()).isEmpty();
    }

    @Test
    void leadsTheIngressToTheActiveHalf() {
        assertThat(aNewPair().active(GREEN).misled(HalfColor.GREEN).decide().actions())
                .containsExactly(new PairAction.LeadTo(GREEN));
    }

    @Test
    void waitsForApprovalUntilItsDeadline() {
        Pair waiting = aNewPair().configured("bluegreen.promotion", "manual").started();
        assertThat(waiting.phase()).isEqualTo(TransitionPhase.APPROVAL);
        long generation = waiting.transition().generation();

        assertThat(waiting.approved(generation - 1).decided().phase())
                .isEqualTo(TransitionPhase.APPROVAL);
        assertThat(waiting.approved(generation).decided().phase())
                .isEqualTo(TransitionPhase.RETIRING);
        assertThat(waiting.later(Duration.ofMinutes(61)).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
        assertThat(waiting.wishing("image", "v3").approved(generation).decided().phase())
                .as("a newer edit voids it")
                .isEqualTo(TransitionPhase.ABORTING);
    }

    @Test
    void promotesByTheFiguresOfTheAnalysis() {
        Pair starting = aNewPair().configured("bluegreen.analysis.duration", "5 min").started();
        assertThat(starting.phase()).isEqualTo(TransitionPhase.PROVING);
        Pair over = starting.later(Duration.ofMinutes(5));

        assertThat(over.counting(figures(0, 1)).decided().phase())
                .isEqualTo(TransitionPhase.RETIRING);
        assertThat(over.counting(figures(0, 0)).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
        assertThat(starting.counting(figures(1, 0)).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
        PairDecision unknown = over.decide();
        assertThat(unknown.events()).anyMatch(it -> it.reason().equals("AnalysisInconclusive"));
        assertThat(unknown.status().transition().orElseThrow().phase())
                .isEqualTo(TransitionPhase.RETIRING);
    }

    @Test
    void goesByWhatTheConfigurationSays() {
        Pair starting =
                aNewPair()
                        .configured("bluegreen.analysis.duration", "5 min")
                        .configured("bluegreen.analysis.max-restarts", "2")
                        .configured("bluegreen.analysis.min-checkpoints", "3")
                        .configured("bluegreen.analysis.on-inconclusive", "abort")
                        .configured("bluegreen.promotion", "manual")
                        .configured("bluegreen.promotion.deadline", "2 min")
                        .configured("bluegreen.reconciliation.reschedule-interval", "3 s")
                        .started();
        assertThat(starting.decide().checkAgain()).contains(Duration.ofSeconds(3));
        Pair over = starting.later(Duration.ofMinutes(5));

        assertThat(over.decided().phase()).isEqualTo(TransitionPhase.ABORTING);
        assertThat(over.counting(figures(2, 2)).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
        Pair proven = over.counting(figures(2, 3)).decided();
        assertThat(proven.phase()).isEqualTo(TransitionPhase.APPROVAL);
        assertThat(proven.later(Duration.ofMinutes(2)).decided().phase())
                .isEqualTo(TransitionPhase.ABORTING);
    }

    private static Figures figures(long restarts, long checkpoints) {
        return Figures.of(Optional.of(restarts), Optional.of(checkpoints));
    }
}
