// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LookScheduleTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration INTERVAL = Duration.ofSeconds(15);

    @Test
    void spreadsJobsThatBeginTogetherByWhenTheirFirstLookEnds() {
        assertThat(LookSchedule.from(BEGIN).next(at(4), INTERVAL).due()).isEqualTo(at(19));
    }

    @Test
    void doesNotAddTheTimeThatALookTakes() {
        LookSchedule schedule = LookSchedule.from(BEGIN).next(at(4), INTERVAL);

        assertThat(schedule.next(at(22), INTERVAL).next(at(35), INTERVAL).due()).isEqualTo(at(49));
    }

    @Test
    void makesUpForNothingThatItMissed() {
        LookSchedule late = LookSchedule.from(BEGIN).next(at(4), INTERVAL).next(at(100), INTERVAL);

        assertThat(late.due()).isEqualTo(at(100));
        assertThat(late.next(at(101), INTERVAL).due()).isEqualTo(at(115));
    }

    private static Instant at(int seconds) {
        return BEGIN.plusSeconds(seconds);
    }
}
