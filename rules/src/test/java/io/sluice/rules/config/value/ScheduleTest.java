// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void comesAfterEachIntervalAndDoesNotDrift() {
        var hourly = Schedule.parse("1 h").orElseThrow();

        assertThat(hourly.due(START, START.plusSeconds(3599))).isEmpty();
        assertThat(hourly.due(START, START.plusSeconds(3700))).contains(START.plusSeconds(3600));
        assertThat(hourly.next(START, START.plusSeconds(3700))).contains(START.plusSeconds(7200));
    }

    @Test
    void makesUpForOneOfAllThatWereMissed() {
        var hourly = Schedule.parse("1 h").orElseThrow();
        var late = START.plus(Duration.ofHours(5)).plusSeconds(10);

        var due = hourly.due(START, late).orElseThrow();

        assertThat(due).isEqualTo(START.plus(Duration.ofHours(5)));
        assertThat(hourly.due(due, late)).isEmpty();
    }

    @Test
    void comesAsACronExpressionSaysInUtc() {
        var nightly = Schedule.parse("0 30 2 * * ?").orElseThrow();
        var morning = Instant.parse("2026-01-04T08:00:00Z");

        assertThat(nightly.due(START, morning)).contains(Instant.parse("2026-01-04T02:30:00Z"));
        assertThat(nightly.due(Instant.parse("2026-01-04T02:30:00Z"), morning)).isEmpty();
        assertThat(nightly.next(START, morning)).contains(Instant.parse("2026-01-05T02:30:00Z"));
    }

    @Test
    void isOverWhereNoTimeComesAnyMore() {
        var once = Schedule.parse("0 0 0 1 1 ? 2025").orElseThrow();

        assertThat(once.next(START, START)).isEmpty();
        assertThat(once.due(START, START.plusSeconds(60))).isEmpty();
    }

    @Test
    void isNothingElse() {
        assertThat(Schedule.parse("")).isEmpty();
        assertThat(Schedule.parse("0 s")).isEmpty();
        assertThat(Schedule.parse("hourly")).isEmpty();
        assertThat(Schedule.parse("* * * * *")).isEmpty();
    }
}
