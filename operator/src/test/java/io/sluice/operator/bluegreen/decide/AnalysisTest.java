// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.TransitionCheck;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.analysis.Figures.QueryAnswer;
import io.sluice.operator.bluegreen.analysis.Figures.Watermark;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a look counts for, and what comes of it. Looks are 15 s apart, and three may fail. */
class AnalysisTest {
    private static final Duration INTERVAL = Duration.ofSeconds(15);
    private static final Duration DURATION = Duration.ofMinutes(5);

    @Test
    void abortsAfterThreeFailedLooksInARow() {
        Pair proving = proving();

        Pair once = look(proving, lag(2000, 1000));
        assertThat(once.phase()).isEqualTo(TransitionPhase.PROVING);
        assertThat(only(once)).isEqualTo(failed(2.0, 1));
        Pair twice = look(once, lag(3000, 1000));
        assertThat(only(twice)).isEqualTo(failed(3.0, 2));
        assertThat(twice.decide().detail()).contains("max-lag-ratio has failed at 2 looks");
        PairDecision third = looking(twice, lag(4000, 1000)).decide();

        assertThat(third.status().transition().orElseThrow().phase())
                .isEqualTo(TransitionPhase.ABORTING);
        String told =
                "Its check max-lag-ratio has failed at 3 looks in a row. Last values: max-restarts"
                        + " 0 (at most 0), min-checkpoints 1 (at least 1), max-lag-ratio 4 (at most"
                        + " 1.5).";
        assertThat(third.status().transition().orElseThrow().message()).contains(told);
        assertThat(third.events())
                .anyMatch(
                        event ->
                                event.reason().equals("TransitionAborted")
                                        && event.message().contains(told));
    }

    @Test
    void beginsToCountAnewOnceACheckHasPassed() {
        Pair passed = look(look(look(proving(), bad()), bad()), good());

        assertThat(only(passed).failures()).isZero();
        assertThat(look(look(passed, bad()), bad()).phase()).isEqualTo(TransitionPhase.PROVING);
    }

    @Test
    void whatIsNotKnownNeitherCountsNorEndsTheRow() {
        Pair twice = look(look(proving(), bad()), bad());

        Pair silent = twice;
        for (int i = 0; i < 5; i++) {
            silent = look(silent, Figures.UNKNOWN);
            assertThat(silent.phase()).isEqualTo(TransitionPhase.PROVING);
            assertThat(only(silent).failures()).isEqualTo(2);
            assertThat(only(silent).value()).isEmpty();
            assertThat(only(silent).why()).hasValueSatisfying(why -> assertThat(why).isNotBlank());
        }
        assertThat(look(silent, bad()).phase()).isEqualTo(TransitionPhase.ABORTING);
    }

    /** What is on record is all that another process of the operator knows. */
    @Test
    void countsOnWhereAFormerProcessEnded() {
        Pair twice = look(look(proving(), bad()), bad());
        Pair read = twice.decided(twice.counting(Figures.NOT_ASKED).decide());

        assertThat(only(read).failures()).isEqualTo(2);
        assertThat(look(read, bad()).phase()).isEqualTo(TransitionPhase.ABORTING);
    }

    @Test
    void looksOnceInEachIntervalAndOnlyAtAHalfThatRunsSteadily() {
        Pair proving = proving();
        assertThat(isDue(proving)).as("at once").isTrue();

        Pair looked = look(proving, bad());
        assertThat(isDue(looked)).isFalse();
        assertThat(only(looked.later(INTERVAL.minusMillis(1)).counting(bad()).decided()))
                .as("figures that nobody has asked for in time")
                .isEqualTo(only(looked));
        assertThat(looked.counting(Figures.NOT_ASKED).decide().checkAgain()).contains(INTERVAL);
        assertThat(isDue(looked.later(INTERVAL))).isTrue();
        assertThat(isDue(looked.later(INTERVAL).withNew(Condition.WORKING))).isFalse();
    }

    @Test
    void neverLooksWithoutAnAnalysisOrAtRest() {
        Pair manual = aNewPair().configured("bluegreen.promotion", "manual").started();
        assertThat(manual.phase()).isEqualTo(TransitionPhase.APPROVAL);
        assertThat(isDue(manual.later(DURATION))).isFalse();

        Pair active =
                aNewPair()
                        .configured("bluegreen.analysis.duration", "5 min")
                        .active(HalfColor.BLUE);
        assertThat(isDue(active.later(DURATION))).isFalse();
    }

    @Test
    void beginsAnewWithAHalfThatWasNotSteadyForAMoment() {
        Pair twice = look(look(proving(), bad()), bad());
        Pair again = twice.withNew(Condition.WORKING).decided();
        assertThat(again.phase()).isEqualTo(TransitionPhase.STARTING);
        assertThat(again.transition().checks()).isEmpty();

        assertThat(look(again.withNew(Condition.STEADY).decided(), bad()).phase())
                .isEqualTo(TransitionPhase.PROVING);
    }

    @Test
    void aRestartFailsAtOneLook() {
        Figures restarted = good().withRestarts(Optional.of(1L));

        Pair aborted = look(proving(), restarted);

        assertThat(aborted.phase()).isEqualTo(TransitionPhase.ABORTING);
        assertThat(aborted.transition().message())
                .hasValueSatisfying(
                        why -> assertThat(why).startsWith("Its job has restarted 1 times"));
    }

    @Test
    void isPromotedByTheFirstLookAfterTheTimeAtWhichEachCheckPasses() {
        Pair looked = look(proving().later(DURATION.minusSeconds(5)), good());
        assertThat(looked.phase()).isEqualTo(TransitionPhase.PROVING);
        assertThat(
                        looked.later(Duration.ofSeconds(6))
                                .counting(Figures.NOT_ASKED)
                                .decided()
                                .phase())
                .as("the last look was before the end")
                .isEqualTo(TransitionPhase.PROVING);

        assertThat(look(looked, good()).phase()).isEqualTo(TransitionPhase.RETIRING);
    }

    @Test
    void aCheckThatFailsAtTheEndHasThreeMoreLooksToPass() {
        Pair late = look(proving().later(DURATION), bad());
        assertThat(late.phase()).isEqualTo(TransitionPhase.PROVING);

        assertThat(look(late, good()).phase()).isEqualTo(TransitionPhase.RETIRING);
        assertThat(look(look(late, bad()), bad()).phase()).isEqualTo(TransitionPhase.ABORTING);
    }

    @Test
    void aCheckThatHasFailedAndIsNotKnownThenDoesNotPass() {
        Pair late = look(proving().later(DURATION), bad());
        Pair silent = look(look(late, known(Figures.UNKNOWN)), known(Figures.UNKNOWN));
        assertThat(silent.phase()).isEqualTo(TransitionPhase.PROVING);

        assertThat(look(silent, known(Figures.UNKNOWN)).phase())
                .isEqualTo(TransitionPhase.ABORTING);
    }

    @ParameterizedTest
    @CsvSource({"promote, RETIRING", "abort, ABORTING"})
    void whatNobodyKnowsAtTheEndIsInconclusive(String option, TransitionPhase phase) {
        Pair late = proving("bluegreen.analysis.on-inconclusive", option).later(DURATION);
        Pair silent =
                look(
                        look(look(late, known(Figures.UNKNOWN)), known(Figures.UNKNOWN)),
                        known(Figures.UNKNOWN));
        assertThat(silent.phase()).isEqualTo(TransitionPhase.PROVING);

        PairDecision decision = looking(silent, known(Figures.UNKNOWN)).decide();

        assertThat(decision.status().transition().orElseThrow().phase()).isEqualTo(phase);
        assertThat(decision.events())
                .anyMatch(
                        event ->
                                event.message()
                                        .contains(
                                                "Not known at the end of the analysis:"
                                                        + " max-lag-ratio: the pending records of"
                                                        + " the other half are not known."));
    }

    @Test
    void checksGoOnWhileSomebodyIsAskedToApprove() {
        Pair waiting = look(proving("bluegreen.promotion", "manual").later(DURATION), good());
        assertThat(waiting.phase()).isEqualTo(TransitionPhase.APPROVAL);
        assertThat(waiting.counting(Figures.NOT_ASKED).decide().checkAgain()).contains(INTERVAL);

        Pair twice = look(look(waiting, bad()), bad());
        assertThat(twice.decide().reason()).isEqualTo(Reason.PAIR_APPROVAL);
        assertThat(look(twice, bad()).phase()).isEqualTo(TransitionPhase.ABORTING);
    }

    @ParameterizedTest
    @CsvSource({
        "1500, 1000, 1.5, true",
        "1501, 1000, 1.501, false",
        "5000, 0, 5000, false",
        "999, 0, 999, true",
        "0, 5000, 0, true",
        ", 1000, , true",
        "1500, , , true",
    })
    void comparesPendingRecords(Double other, Double active, Double ratio, boolean passes) {
        Figures figures =
                good().with()
                        .other(new Progress(Optional.ofNullable(other), Optional.empty()))
                        .active(new Progress(Optional.ofNullable(active), Optional.empty()))
                        .build();

        TransitionCheck check = only(look(proving(), figures));

        assertThat(check.value()).isEqualTo(Optional.ofNullable(ratio));
        assertThat(check.failures() == 0).isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({
        "40000, true, 100000, true, 60, true",
        "39999, true, 100000, true, 60.001, false",
        "110000, true, 100000, true, -10, true",
        "100000, false, 100000, true, , true",
        "40000, false, 100000, false, 60, true",
    })
    void comparesWatermarks(
            double other,
            boolean isEverywhere,
            double active,
            boolean isActiveEverywhere,
            Double delay,
            boolean passes) {
        Pair proving = provingWith("bluegreen.analysis.max-watermark-delay", "1 min");
        Figures figures =
                good().with()
                        .other(at(other, isEverywhere))
                        .active(at(active, isActiveEverywhere))
                        .build();

        TransitionCheck check = only(look(proving, figures));

        assertThat(check.name()).isEqualTo("max-watermark-delay");
        assertThat(check.bound()).isEqualTo("at most 60 s");
        assertThat(check.value()).isEqualTo(Optional.ofNullable(delay));
        assertThat(check.failures() == 0).isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 1, 10, true, 'at least 1 and at most 10'",
        "0.5, 1, 10, false, 'at least 1 and at most 10'",
        "11, , 10, false, at most 10",
        "11, 1, , true, at least 1",
    })
    void comparesTheValueOfAQueryWithItsBounds(
            double value, Double min, Double max, boolean passes, String bound) {
        Pair proving = provingWith("bluegreen.analysis.queries", "errors");
        QueryAnswer answer =
                new QueryAnswer(
                        "errors",
                        Optional.of(value),
                        Optional.ofNullable(min),
                        Optional.ofNullable(max),
                        "");

        TransitionCheck check = only(look(proving, good().withQueries(List.of(answer))));

        assertThat(check.name()).isEqualTo("query.errors");
        assertThat(check.bound()).isEqualTo(bound);
        assertThat(check.value()).contains(value);
        assertThat(check.failures() == 0).isEqualTo(passes);
    }

    @Test
    void saysWhyAQueryHasNoValue() {
        Pair proving = provingWith("bluegreen.analysis.queries", "errors, latency");
        QueryAnswer silent =
                new QueryAnswer(
                        "errors",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(1.0),
                        "Prometheus answers with HTTP 503.");

        List<TransitionCheck> checks =
                look(proving, good().withQueries(List.of(silent))).transition().checks();

        assertThat(checks.subList(2, 4))
                .extracting(TransitionCheck::why)
                .containsExactly(
                        Optional.of("Prometheus answers with HTTP 503."),
                        Optional.of("it was not asked."));
    }

    private static Pair proving() {
        return proving("bluegreen.promotion", "auto");
    }

    private static Pair proving(String key, String value) {
        return proving(
                aNewPair()
                        .configured("bluegreen.analysis.max-lag-ratio", "1.5")
                        .configured(key, value));
    }

    private static Pair provingWith(String key, String value) {
        return proving(aNewPair().configured(key, value));
    }

    private static Pair proving(Pair pair) {
        Pair proving = pair.configured("bluegreen.analysis.duration", "5 min").started();
        assertThat(proving.phase()).isEqualTo(TransitionPhase.PROVING);
        assertThat(proving.transition().checks()).as("no look has been made").isEmpty();
        return proving;
    }

    private static Pair look(Pair pair, Figures figures) {
        return looking(pair, figures).decided();
    }

    /** At its time. */
    private static Pair looking(Pair pair, Figures figures) {
        Pair due =
                isDue(pair)
                        ? pair
                        : new Pair(
                                pair.observed()
                                        .withNow(
                                                pair.transition()
                                                        .checkedAt()
                                                        .orElseThrow()
                                                        .plus(INTERVAL)));
        assertThat(isDue(due)).isTrue();
        return due.counting(figures);
    }

    private static boolean isDue(Pair pair) {
        return PairDecider.isLookDue(pair.observed());
    }

    private static TransitionCheck only(Pair pair) {
        return pair.transition().checks().getLast();
    }

    private static TransitionCheck failed(double value, int failures) {
        return new TransitionCheck(
                "max-lag-ratio", Optional.of(value), "at most 1.5", failures, Optional.empty());
    }

    private static Figures lag(double other, double active) {
        return known(Figures.UNKNOWN)
                .with()
                .other(new Progress(Optional.of(other), Optional.empty()))
                .active(new Progress(Optional.of(active), Optional.empty()))
                .build();
    }

    /** Restarts and checkpoints are as they should be. */
    private static Figures known(Figures figures) {
        return figures.withRestarts(Optional.of(0L)).withCheckpoints(Optional.of(1L));
    }

    private static Figures good() {
        return lag(1000, 1000);
    }

    private static Figures bad() {
        return lag(2000, 1000);
    }

    private static Progress at(double millis, boolean isEverywhere) {
        return new Progress(Optional.empty(), Optional.of(new Watermark(millis, isEverywhere)));
    }
}
