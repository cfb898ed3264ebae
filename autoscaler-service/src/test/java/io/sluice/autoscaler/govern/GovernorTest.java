// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.GIBIBYTE;
import static io.sluice.autoscaler.govern.Proposals.NOW;
import static io.sluice.autoscaler.govern.Proposals.growing;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.history.Direction;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.history.Rescale;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class GovernorTest {
    private static final Set<HoldReason> SEEN = EnumSet.noneOf(HoldReason.class);

    /** So much idled that any price is paid. */
    static final History LONG_IDLE =
            new History(List.of(), 1e9, Optional.of(NOW.minus(Duration.ofDays(1))));

    @AfterAll
    static void everyReasonIsGiven() {
        assertThat(SEEN).containsExactlyInAnyOrder(HoldReason.values());
    }

    @Test
    void appliesMoreForAJobThatCanNotKeepUp() {
        Proposal proposal = job(vertex(2, 4).swamped());

        assertThat(decide(proposal, History.NONE))
                .isEqualTo(new ScalePlan.Apply(overrides(4), Direction.UP));
    }

    @Test
    void appliesLessOnceItHasPaidForItself() {
        Proposal proposal = job(vertex(10, 5));

        assertThat(decide(proposal, LONG_IDLE))
                .isEqualTo(new ScalePlan.Apply(overrides(5), Direction.DOWN));
    }

    @Test
    void holdsWhatIsPublishedAlready() {
        holds(job(vertex(3, 3)), HoldReason.NOTHING_CHANGED);
    }

    @Test
    void holdsEverythingWhileSwitchedOff() {
        holds(
                job(vertex(2, 4).swamped()),
                Budget.DEFAULT.withMode(Mode.OFF),
                RescalingLimits.EMPTY,
                History.NONE,
                HoldReason.SWITCHED_OFF);
    }

    @Test
    void onlyRecommendsWhatItWouldDo() {
        holds(
                job(vertex(2, 4).swamped()),
                Budget.DEFAULT.withMode(Mode.RECOMMEND),
                RescalingLimits.EMPTY,
                History.NONE,
                HoldReason.RECOMMEND_ONLY);
    }

    @Test
    void touchesNoJobThatIsNotSettledOrComesBack() {
        holds(job(vertex(2, 4).swamped()).withHealth(Health.UNSETTLED), HoldReason.JOB_NOT_STABLE);
        holds(job(vertex(2, 4).swamped()).withHealth(Health.RECOVERING), HoldReason.JOB_RECOVERING);
        Proposal half = job(vertex(2, 4).swamped()).withHealth(Health.BETWEEN_HALVES);
        holds(half, HoldReason.PAIR_IN_TRANSITION);
    }

    @Test
    void holdsWhatFlinkWouldDieOf() {
        for (int wrong : new int[] {0, -1, 129}) {
            holds(job(vertex(2, wrong)), HoldReason.PARALLELISM_OUT_OF_RANGE);
        }
    }

    @Test
    void takesNothingFromAVertexWhoseMetricsContradict() {
        Proposal doubtful = job(vertex(4, 2).needing(Double.POSITIVE_INFINITY, 0, 0, true));

        holds(doubtful, LONG_IDLE, HoldReason.METRICS_CONTRADICT);
    }

    @Test
    void takesNothingOnMetricsNobodyCouldMeasure() {
        for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            holds(
                    job(vertex(4, 2).needing(1000, wrong, 0, false)),
                    LONG_IDLE,
                    HoldReason.METRICS_UNKNOWN);
            holds(job(vertex(4, 8).needing(1000, 100, wrong, false)), HoldReason.METRICS_UNKNOWN);
        }
        holds(job(vertex(4, 8).needing(Double.NaN, 100, 0, false)), HoldReason.METRICS_UNKNOWN);
    }

    @Test
    void shrinksAJobNothingComesInFor() {
        Proposal idle = job(vertex(4, 1).needing(Double.POSITIVE_INFINITY, 0, 0, false));

        assertThat(decide(idle, LONG_IDLE)).isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void givesNoMoreWhereMoreDidNotHelp() {
        Proposal hot = job(vertex(8, 16).swamped().could(6, 950));

        holds(hot, rescaled(Direction.UP, Duration.ofMinutes(119)), HoldReason.MORE_DOES_NOT_HELP);
        assertThat(decide(hot, rescaled(Direction.UP, Duration.ofMinutes(121))))
                .as("tried anew by a little")
                .isEqualTo(new ScalePlan.Apply(overrides(9), Direction.UP));
        holds(job(vertex(8, 16).swamped().could(4, 950)), HoldReason.MORE_DOES_NOT_HELP);
    }

    @Test
    void raisesTheOthersWhereOneVertexCanNotBeJudged() {
        for (Proposals.Draft unjudged :
                List.of(
                        vertex(4, 1).needing(Double.POSITIVE_INFINITY, 0, 0, true),
                        vertex(4, 8).needing(Double.NaN, 100, 0, false),
                        vertex(4, 129),
                        vertex(4, 8).swamped().could(2, 950))) {
            Proposal proposal = job(Map.of("other", unjudged, "work", vertex(2, 4).swamped()));

            assertThat(decide(proposal, rescaled(Direction.UP, Duration.ofHours(1))))
                    .isEqualTo(
                            new ScalePlan.Apply(
                                    new TreeMap<>(Map.of("other", 4, "work", 4)), Direction.UP));
        }
    }

    @Test
    void takesNothingFromWhatReadsFromAVertexThatWasNotMeasured() {
        var unmeasured = vertex(20, 10).needing(Double.POSITIVE_INFINITY, 0, 0, true);
        Proposal proposal =
                job(
                        Map.of(
                                "source", unmeasured,
                                "between", vertex(10, 10).reading("source"),
                                "sink", vertex(20, 5).reading("between"),
                                "apart", vertex(30, 10)));

        assertThat(GovernedProposal.of(proposal, History.NONE).leftOut())
                .isEqualTo(
                        Map.of(
                                "source", HoldReason.METRICS_CONTRADICT,
                                "sink", HoldReason.METRICS_CONTRADICT));
        assertThat(decide(proposal, LONG_IDLE))
                .isEqualTo(
                        new ScalePlan.Apply(
                                new TreeMap<>(
                                        Map.of(
                                                "source", 20, "between", 10, "sink", 20, "apart",
                                                10)),
                                Direction.DOWN));
    }

    @Test
    void takesNothingBackBeforeItHasHadTimeToCome() {
        Proposal back = job(vertex(2, 3).published(6).swamped());

        holds(back, rescaled(Direction.UP, Duration.ofSeconds(20)), HoldReason.SCALE_UP_PENDING);
    }

    @Test
    void restsAfterEveryRescale() {
        ScalePlan.Hold hold =
                holds(
                        job(vertex(2, 4).swamped()),
                        rescaled(Direction.UP, Duration.ofSeconds(59)),
                        HoldReason.COOLING_DOWN);
        assertThat(hold.until()).contains(NOW.plusSeconds(1));
        assertThat(
                        decide(
                                job(vertex(2, 4).swamped()),
                                rescaled(Direction.UP, Duration.ofSeconds(60))))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void spendsNoMoreThanTheBudgetOfTheDay() {
        History day = day(20);

        ScalePlan.Hold hold = holds(job(vertex(2, 4)), day, HoldReason.DAY_BUDGET_SPENT);
        assertThat(hold.until()).contains(day.rescales().getFirst().at().plus(Duration.ofDays(1)));
    }

    @Test
    void raisesAJobThatCanNotKeepUpOnceAnHourWhateverTheDayHasSpent() {
        Proposal tooSmall = job(vertex(2, 4).swamped());
        History spent = day(20);

        ScalePlan.Hold hold =
                holds(
                        tooSmall,
                        spent.with(new Rescale(NOW.minus(Duration.ofMinutes(59)), Direction.UP)),
                        HoldReason.DAY_BUDGET_SPENT);
        assertThat(hold.until()).contains(NOW.plus(Duration.ofMinutes(1)));
        assertThat(decide(tooSmall, spent)).isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void keepsHalfOfTheDayForScalingUp() {
        holds(
                job(vertex(10, 5)),
                new History(day(10).rescales(), 1e9, LONG_IDLE.wastingSince()),
                HoldReason.DAY_BUDGET_SPENT);
        assertThat(decide(job(vertex(2, 4).swamped()), day(10)))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void doesNotTurnBackSoonAfterScalingUp() {
        History up = rescaled(Direction.UP, Duration.ofMinutes(29));

        holds(
                job(vertex(10, 5)),
                new History(up.rescales(), 1e9, LONG_IDLE.wastingSince()),
                HoldReason.REVERSAL_TOO_SOON);
    }

    @Test
    void waitsNoLongerThanABurstMayLastWhileMuchIsDammedUp() {
        Proposal proposal =
                job(vertex(2, 4).needing(200, 400, 300, false))
                        .withTrend(new Trend(1.2, 0, 0.3, 0.3));

        holds(proposal.withShortFor(Duration.ofSeconds(119)), HoldReason.LOAD_JUMPS);
        assertThat(decide(proposal.withShortFor(Duration.ofMinutes(2)), History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void waitsForALoadThatJumpsToComeToRest() {
        Proposal tooSmall = job(vertex(2, 4).swamped()).withTrend(new Trend(1.2, 0, 0.3, 0.3));

        holds(tooSmall.withShortFor(Duration.ofMinutes(9)), HoldReason.LOAD_JUMPS);
        assertThat(decide(tooSmall.withShortFor(Duration.ofMinutes(10)), History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
        holds(
                job(vertex(10, 5)).withTrend(new Trend(0.8, 0, 0, 0.3)),
                idleFor(Duration.ofMinutes(59)),
                HoldReason.LOAD_JUMPS);
    }

    @Test
    void takesNothingWhileTheLoadRises() {
        holds(growing(job(vertex(10, 5)), 0.2 / 3600), LONG_IDLE, HoldReason.LOAD_RISES);
    }

    @Test
    void leavesSmallChangesAlone() {
        holds(job(vertex(100, 96)), LONG_IDLE, HoldReason.CHANGE_TOO_SMALL);
        holds(job(vertex(100, 104)), HoldReason.CHANGE_TOO_SMALL);
    }

    @Test
    void takesNothingFromAVertexThatOccupiesNoSlotOfItsOwn() {
        Proposal beside = job(Map.of("big", vertex(10, 10), "small", vertex(4, 2)));

        holds(beside, LONG_IDLE, HoldReason.CHANGE_TOO_SMALL);
    }

    @Test
    void waitsUntilWhatIsTooMuchHasCostAsMuchAsARestart() {
        Proposal proposal = job(vertex(10, 5));
        double price = Budget.DEFAULT.price(proposal.restart()).toSeconds() * 10;
        History nearly = new History(List.of(), price - 50, Optional.of(NOW));

        ScalePlan.Hold hold = holds(proposal, nearly, HoldReason.NOT_WORTH_A_RESTART);
        assertThat(hold.until()).contains(NOW.plusSeconds(10));
    }

    @Test
    void waitsLongerWhereItHadToTurnBackOfLate() {
        History turned =
                History.NONE
                        .with(new Rescale(NOW.minus(Duration.ofHours(3)), Direction.DOWN))
                        .with(new Rescale(NOW.minus(Duration.ofHours(2)), Direction.UP));
        Proposal proposal = job(vertex(10, 5));
        double price = Budget.DEFAULT.price(proposal.restart()).toSeconds() * 10;

        holds(
                proposal,
                new History(turned.rescales(), 1.5 * price, Optional.of(NOW)),
                HoldReason.NOT_WORTH_A_RESTART);
    }

    @Test
    void paysMoreForAnUpgradeThanForARescaleInPlace() {
        assertThat(Budget.DEFAULT.price(Duration.ofMinutes(2)))
                .isGreaterThan(Budget.DEFAULT.price(Duration.ofSeconds(2)));
    }

    @Test
    void takesAtOnceWhereNobodyMindsUnrest() {
        Budget restless = Budget.DEFAULT.withUnrest(Duration.ZERO);

        assertThat(decide(job(vertex(10, 2)), restless, RescalingLimits.EMPTY, History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void takesAtOnceAndLessOnceALoadHasStayedTheSameForLong() {
        Budget calm = Budget.DEFAULT.whileCalm();

        holds(job(vertex(20, 18)), HoldReason.CHANGE_TOO_SMALL);
        assertThat(decide(job(vertex(20, 18)), calm, RescalingLimits.EMPTY, History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
        holds(
                job(vertex(5, 4)),
                calm,
                RescalingLimits.EMPTY,
                History.NONE,
                HoldReason.CHANGE_TOO_SMALL);
    }

    @Test
    void countsWhatIdlesAndForgivesItOnceItIsNeeded() {
        History idled = Governor.remember(job(vertex(10, 5)), History.NONE, Duration.ofSeconds(60));

        assertThat(idled.waste()).isEqualTo(300);
        assertThat(Governor.remember(job(vertex(10, 10)), idled, Duration.ofSeconds(60)))
                .isEqualTo(History.NONE);
    }

    @Test
    void keepsToTheQuotaOfTheJob() {
        Proposal proposal = job(vertex(2, 4).swamped());
        Budget tight = Proposals.budget(Optional.of(3.0), Optional.empty());
        Budget tightMemory = Proposals.budget(Optional.empty(), Optional.of(3 * GIBIBYTE));

        holds(proposal, tight, RescalingLimits.EMPTY, History.NONE, HoldReason.JOB_QUOTA);
        holds(proposal, tightMemory, RescalingLimits.EMPTY, History.NONE, HoldReason.JOB_QUOTA);
    }

    @Test
    void keepsToTheQuotasOfTheNamespace() {
        Allowance coreLess = new Allowance(Optional.of(1.0), Optional.empty());
        Allowance memoryLess = new Allowance(Optional.empty(), Optional.of(GIBIBYTE));

        for (Allowance less : List.of(coreLess, memoryLess)) {
            holds(own(less), HoldReason.NAMESPACE_QUOTA);
            holds(new RescalingLimits(0, 10, Allowance.UNLIMITED, less), HoldReason.RESOURCE_QUOTA);
        }
    }

    private static void holds(RescalingLimits limits, HoldReason reason) {
        holds(job(vertex(2, 4).swamped()), Budget.DEFAULT, limits, History.NONE, reason);
    }

    private static RescalingLimits own(Allowance left) {
        return new RescalingLimits(0, 10, left, Allowance.UNLIMITED);
    }

    @Test
    void givesRoomBackThoughTheNamespaceHasNone() {
        RescalingLimits full = own(new Allowance(Optional.of(-5.0), Optional.of(-1L)));

        assertThat(decide(job(vertex(10, 5)), Budget.DEFAULT, full, LONG_IDLE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    /** Its bursts are allowed for by then. */
    @Test
    void waitsNoLongerThanAnHourForALoadThatJumpsToComeToRest() {
        Proposal bursts = job(vertex(10, 5)).withTrend(new Trend(0.8, 0, 0.3, 0.3));

        assertThat(decide(bursts, idleFor(Duration.ofHours(1))))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void leavesABacklogToWhatRunsIfItIsGoneWithinMinutes() {
        Proposal afterBurst = job(vertex(10, 20).needing(1000, 800, 300, false).waiting(120_000));

        holds(afterBurst, HoldReason.BACKLOG_SHRINKS);
        assertThat(
                        decide(
                                job(vertex(10, 20).needing(1000, 800, 300, false).waiting(121_000)),
                                History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
        assertThat(decide(afterBurst.withEnvelope(1.3), History.NONE))
                .as("such bursts come again")
                .isInstanceOf(ScalePlan.Apply.class);
        assertThat(
                        decide(
                                afterBurst,
                                Budget.DEFAULT.withUpper(0.75),
                                RescalingLimits.EMPTY,
                                History.NONE))
                .as("the vertex is busier than it is to be")
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void takesNothingFromAJobWhoseRecordsWait() {
        Proposal late = job(vertex(10, 5).waiting(500 * 121));

        holds(late, LONG_IDLE, HoldReason.JOB_IS_LATE);
        assertThat(
                        decide(
                                late,
                                Budget.DEFAULT.withLagObjective(Duration.ZERO),
                                RescalingLimits.EMPTY,
                                LONG_IDLE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void waitsForOtherJobsToFinishTheirRescales() {
        holds(
                job(vertex(2, 4).swamped()),
                Budget.DEFAULT,
                new RescalingLimits(3, 3, Allowance.UNLIMITED, Allowance.UNLIMITED),
                History.NONE,
                HoldReason.FLEET_BUSY);
    }

    @Test
    void isNotHeldForEverByAClockThatJumpedBack() {
        History future = rescaled(Direction.UP, Duration.ofDays(-400));

        assertThat(decide(job(vertex(2, 4).swamped()), future)).isInstanceOf(ScalePlan.Apply.class);
    }

    static ScalePlan.Hold holds(Proposal proposal, HoldReason reason) {
        return holds(proposal, History.NONE, reason);
    }

    static ScalePlan.Hold holds(Proposal proposal, History history, HoldReason reason) {
        return holds(proposal, Budget.DEFAULT, RescalingLimits.EMPTY, history, reason);
    }

    static ScalePlan.Hold holds(
            Proposal proposal,
            Budget budget,
            RescalingLimits limits,
            History history,
            HoldReason reason) {
        ScalePlan plan = decide(proposal, budget, limits, history);
        assertThat(plan)
                .isInstanceOfSatisfying(
                        ScalePlan.Hold.class, hold -> assertThat(hold.reason()).isEqualTo(reason));
        return (ScalePlan.Hold) plan;
    }

    static ScalePlan decide(Proposal proposal, History history) {
        return decide(proposal, Budget.DEFAULT, RescalingLimits.EMPTY, history);
    }

    static ScalePlan decide(
            Proposal proposal, Budget budget, RescalingLimits limits, History history) {
        ScalePlan plan =
                Governor.decide(GovernedProposal.of(proposal, history), budget, limits, history);
        if (plan instanceof ScalePlan.Hold(var reason, _)) {
            SEEN.add(reason);
        }
        return plan;
    }

    private static History idleFor(Duration time) {
        return new History(List.of(), 1e9, Optional.of(NOW.minus(time)));
    }

    static History rescaled(Direction direction, Duration ago) {
        return History.NONE.with(new Rescale(NOW.minus(ago), direction));
    }

    /** So many scalings down, the last of them two hours ago. */
    static History day(int count) {
        History history = History.NONE;
        Instant at = NOW.minus(Duration.ofHours(22));
        for (int i = 0; i < count; i++) {
            history = history.with(new Rescale(at.plusSeconds(60L * i), Direction.DOWN));
        }
        return history;
    }

    static SortedMap<String, Integer> overrides(int parallelism) {
        return new TreeMap<>(Map.of("work", parallelism));
    }
}
