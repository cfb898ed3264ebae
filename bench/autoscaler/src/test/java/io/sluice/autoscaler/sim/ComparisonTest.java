// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.apache.flink.autoscaler.topology.ShipStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {
    @Test
    void fitsAJobThatIsTooSmallInFewSteps() {
        Score score = Comparison.of(named("too-small plain")).oursScore();

        assertThat(score.steps())
                .hasValueSatisfying(steps -> assertThat(steps).isLessThanOrEqualTo(3));
        assertThat(score.steadyOver())
                .hasValueSatisfying(over -> assertThat(over).isLessThan(0.15));
    }

    /**
     * The bars of the whole bench, on those of its cases that are lived through in a few seconds.
     * How many rescales the bare engine needs is held against ours as it is, not halved.
     */
    @Test
    void meetsItsBarsWhereVerticesScaleAsTheyPromise() {
        List<Comparison> comparisons =
                Cases.all().stream()
                        .filter(each -> each.name().matches("(?!day|ramp).* plain .*"))
                        .map(Comparison::of)
                        .toList();

        Summary summary = new Summary(comparisons);

        assertThat(summary.bars())
                .filteredOn(bar -> !bar.what().matches("(rescales|hours).*"))
                .hasSize(5)
                .allSatisfy(bar -> assertThat(bar.met()).as("%s", bar).isTrue());
        assertThat(rescales(comparisons, Comparison::oursScore))
                .isLessThanOrEqualTo(rescales(comparisons, Comparison::bareScore));
    }

    @Test
    void fitsAJobOnceItsLoadHasStayedTheSameForLong() {
        Comparison comparison = Comparison.of(named("step-up non-linear"));

        assertThat(comparison.ours().changes()).hasSize(2);
        assertThat(comparison.ours().changes().getLast().hour()).isBetween(6.0, 7.0);
        assertThat(comparison.ours().minutes().getLast().fits()).isTrue();
    }

    /** The engine alone takes what a job does for all that comes in. */
    @Test
    void growsAJobThatIsTooSmallAndWhoseSourcesDoNotTellWhatWaits() {
        Comparison comparison = Comparison.of(named("too-small no-backlog"));

        assertThat(comparison.oursScore().lagging()).isLessThan(2);
        assertThat(comparison.bareScore().lagging()).isGreaterThan(8);
    }

    @Test
    void growsAJobOneVertexOfWhichIsBusyWithItsTimers() {
        Comparison comparison = Comparison.of(named("step-up timers"));

        assertThat(comparison.oursScore().lagging()).isLessThan(0.5);
    }

    @Test
    void growsTheOtherPipelineOfAJobWithASlowSink() {
        Comparison comparison = Comparison.of(named("ramp-up slow-sink"));

        assertThat(comparison.oursScore().worstLag()).isLessThan(120);
    }

    @Test
    void allowsForBurstsThatComeAgainAndAgain() {
        Comparison comparison = Comparison.of(named("bursts by upgrade"));

        assertThat(comparison.oursScore().rescales()).isOne();
        assertThat(comparison.oursScore().lagging())
                .isLessThan(comparison.bareScore().lagging() / 2);
    }

    @Test
    void keepsAJobSmallWhoseSinkCanNotDoMore() {
        Comparison comparison = Comparison.of(named("limited-sink in place"));

        assertThat(comparison.oursScore().useless()).isBetween(1.0, 1.5);
        assertThat(comparison.bareScore().useless()).isGreaterThan(3);
    }

    /** The load rises at once. The first step can't know of the limit; the second finds it. */
    @ParameterizedTest
    @CsvSource({"4, true", "8, true", "20, true", "4, false", "8, false", "20, false"})
    void keepsAJobSmallWhoseSinkIsHelpedByTwoSubtasksAlone(double factor, boolean inPlace) {
        Comparison comparison = Comparison.of(stepUp(factor, 2, inPlace));

        assertThat(comparison.ours().changes()).hasSize(2).allMatch(Run.Change::up);
        assertThat(comparison.oursScore().useless()).isBetween(1.0, 3.0);
        assertThat(comparison.bareScore().useless()).isGreaterThan(7);
    }

    private static Case stepUp(double factor, double helpful, boolean inPlace) {
        JobDraft draft = new JobDraft(Trait.PLAIN, new Random(7));
        draft.source(1, 30_000);
        draft.vertex(1000, draft.from(0, ShipStrategy.REBALANCE, 1));
        draft.limitedSink(
                1000, new Scaling.Limited(helpful), draft.from(1, ShipStrategy.REBALANCE, 1));
        return new Case(
                "step-up limited-sink",
                draft.job(),
                Load.step(600, factor * 600, Load.HOUR),
                12,
                -1,
                List.of(1, 1, 1),
                inPlace ? 3 : 90,
                inPlace,
                true,
                0.05,
                HarshCases.FIRST,
                Case.AS_THE_SERVICE,
                1,
                Conditions.KIND);
    }

    @Test
    void keepsAJobSmallWhoseTopicHasThreePartitions() {
        assertThat(Comparison.of(named("three-partitions by upgrade")).oursScore().useless())
                .isBetween(0.5, 1.5);
    }

    @Test
    void knowsThatARecordCostsMoreThanItDid() {
        Comparison comparison = Comparison.of(named("dearer-records in place"));

        assertThat(comparison.ours().changes()).hasSize(1).allMatch(Run.Change::up);
        assertThat(comparison.oursScore().worstLag()).isLessThan(120);
    }

    @Test
    void givesBackWhatItTookToCatchUp() {
        Run run = Comparison.of(named("backlog-of-hours in place")).ours();

        assertThat(run.changes()).extracting(Run.Change::up).containsExactly(true, false);
        assertThat(run.minutes().getLast().slots())
                .isLessThanOrEqualTo(run.minutes().getLast().best() + 1);
    }

    /** Room comes after four hours, and with it what was asked for. */
    @Test
    void asksAFullClusterForNoOtherSizeThanItAskedFor() {
        Comparison comparison = Comparison.of(named("full-cluster in place"));

        assertThat(comparison.ours().changes().getFirst().hour()).isBetween(5.0, 5.1);
        assertThat(comparison.oursScore().lagging()).isLessThan(comparison.bareScore().lagging());
    }

    @Test
    void isNotMovedByNoise() {
        assertThat(Comparison.of(named("fitting noisy")).ours().changes()).isEmpty();
    }

    @Test
    void givesTheSameResultEachTime() {
        Case scenario = named("too-large skew");

        assertThat(Comparison.of(scenario).ours().minutes())
                .isEqualTo(Comparison.of(scenario).ours().minutes());
    }

    @Test
    void letsTheBareEngineScaleDownToo() {
        Run bare = Comparison.of(named("too-large plain")).bare();

        assertThat(bare.changes()).isNotEmpty().allMatch(change -> !change.up());
    }

    @Test
    void hasCasesOfEveryTraceAndTrait() {
        List<Case> cases = Cases.all();

        assertThat(cases).hasSizeGreaterThanOrEqualTo(40);
        assertThat(cases).extracting(Case::name).doesNotHaveDuplicates();
    }

    private static int rescales(List<Comparison> comparisons, Function<Comparison, Score> of) {
        return comparisons.stream().map(of).mapToInt(Score::rescales).sum();
    }

    private static Case named(String part) {
        return Cases.all().stream()
                .filter(each -> each.name().contains(part))
                .findFirst()
                .orElseThrow();
    }
}
