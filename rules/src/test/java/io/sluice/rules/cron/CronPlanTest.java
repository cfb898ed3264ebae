// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronPlanTest {
    @Test
    void takesUtcAndReplacesWithoutOptions() {
        CronPlan plan = plan("@daily", "UTC");

        assertThat(plan.concurrency()).isEqualTo(ConcurrencyPolicy.REPLACE);
        assertThat(plan.startingDeadline()).isEmpty();
        assertThat(plan.succeeded()).isEqualTo(3);
        assertThat(plan.failed()).isEqualTo(1);
        assertThat(plan.next(Instant.parse("2026-03-01T12:00:00Z")))
                .contains(Instant.parse("2026-03-02T00:00:00Z"));
    }

    @Test
    void countsAMomentThatIsDueAsCome() {
        CronPlan plan = plan("30 2 * * *", "UTC");
        Instant fire = Instant.parse("2026-03-01T02:30:00Z");

        assertThat(plan.last(fire)).contains(fire);
        assertThat(plan.last(fire.minusSeconds(1))).contains(Instant.parse("2026-02-28T02:30:00Z"));
        assertThat(plan.next(fire)).contains(Instant.parse("2026-03-02T02:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        // the clock is put forward from 02:00 to 03:00: the daily run comes right after the gap
        "30 2 * * *, 2026-03-29T00:00:00Z, 2026-03-29T01:00:00Z",
        "30 2 * * *, 2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
        // put back from 03:00 to 02:00: it comes the first time only
        "30 2 * * *, 2026-10-24T23:00:00Z, 2026-10-25T00:30:00Z",
        "30 2 * * *, 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
        "*/30 * * * *, 2026-10-25T00:30:00Z, 2026-10-25T02:00:00Z",
        "0 0 29 2 *, 2026-03-01T00:00:00Z, 2028-02-28T23:00:00Z",
    })
    void keepsToTheClockOnTheWall(String expression, Instant after, Instant next) {
        assertThat(plan(expression, "Europe/Berlin").next(after)).contains(next);
    }

    @Test
    void countsADayOfTheMonthOrOfTheWeekAsACronJobDoes() {
        CronPlan plan = plan("0 0 13 * 5", "UTC");

        assertThat(plan.next(Instant.parse("2026-03-01T00:00:00Z")))
                .contains(Instant.parse("2026-03-06T00:00:00Z"));
        assertThat(plan.next(Instant.parse("2026-06-12T12:00:00Z")))
                .contains(Instant.parse("2026-06-13T00:00:00Z"));
    }

    @Test
    void namesARunByTheClockOfItsZone() {
        CronPlan plan = plan("0 1 * * *", "Asia/Tokyo");

        assertThat(plan.runName("orders", Instant.parse("2026-03-01T16:00:00Z")))
                .isEqualTo("orders-03020100");
    }

    /** Whatever the schedule and the moment: the time last come is the one that was next before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "* * * * *",
                "*/7 * * * *",
                "30 2 * * *",
                "0 0-4 * * *",
                "15 1,2,3 * * 0",
                "0 0 1 * *",
                "0 59 23 L * ?",
                "0 0 2 ? * 6#3"
            })
    void neverSkipsNorRepeatsATime(String expression) {
        var random = new Random(expression.hashCode());
        for (String zone :
                List.of("UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe")) {
            CronPlan plan = plan(expression, zone);
            for (Instant change : changes(zone)) {
                Instant now = change.plus(Duration.ofMinutes(random.nextInt(720) - 360));
                Instant next = plan.next(now).orElseThrow();
                assertThat(next).as(zone + " " + now).isAfter(now);
                assertThat(plan.last(next)).contains(next);
                assertThat(plan.last(next.minusSeconds(1)).orElseThrow()).isBeforeOrEqualTo(now);
                assertThat(plan.last(now).orElseThrow()).isBeforeOrEqualTo(now);
                assertThat(plan.next(plan.last(now).orElseThrow())).contains(next);
            }
        }
    }

    @Test
    void givesRunsOfOneDayNamesOfTheirOwnAlsoWhenTheClockIsPutBack() {
        CronPlan plan = plan("* * * * *", "Europe/Berlin");
        List<String> names = new ArrayList<>();
        Instant now = Instant.parse("2026-10-24T22:00:00Z");
        while (now.isBefore(Instant.parse("2026-10-25T06:00:00Z"))) {
            now = plan.next(now).orElseThrow();
            names.add(plan.runName("orders", now));
        }

        assertThat(names).doesNotHaveDuplicates().hasSize(7 * 60);
    }

    @Test
    void saysOfEachOptionWhatIsWrong() {
        var read =
                CronAnnotations.read(
                        Map.of(
                                CronAnnotations.EXPRESSION, "never",
                                CronAnnotations.TIME_ZONE, "Mars/Olympus",
                                CronAnnotations.CONCURRENCY, "Maybe"));

        assertThat(read.value()).isEmpty();
        assertThat(read.problems()).hasSize(3);
    }

    private static List<Instant> changes(String zone) {
        var rules = ZoneId.of(zone).getRules();
        List<Instant> moments = new ArrayList<>();
        Instant from = Instant.parse("2016-01-01T00:00:00Z");
        for (int i = 0; i < 8; i++) {
            moments.add(
                    Optional.ofNullable(rules.nextTransition(from))
                            .map(transition -> transition.getInstant())
                            .orElse(from.plus(30, ChronoUnit.DAYS)));
            from = moments.getLast();
        }
        return moments;
    }

    private static CronPlan plan(String expression, String zone) {
        return CronAnnotations.read(
                        Map.of(
                                CronAnnotations.EXPRESSION, expression,
                                CronAnnotations.TIME_ZONE, zone))
                .value()
                .orElseThrow();
    }
}
