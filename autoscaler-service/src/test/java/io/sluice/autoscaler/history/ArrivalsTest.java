// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

    @Test
    void asksForNothingMoreWhereTheLoadIsSteady() {
        assertThat(after(360, _ -> 1000).envelope(TWO_MINUTES)).isZero();
    }

    /** Four minutes at three times the load put 4 * (3000 - c) records a minute aside. */
    @Test
    void asksForWhatKeepsLagShortInBurstsThatComeAgainAndAgain() {
        Arrivals bursts = after(360, minute -> minute % 40 < 4 ? 3000 : 1000);

        double mean = (4 * 3000 + 36 * 1000) / 40.0;
        double enough = 3000 - mean * 120 / 240;
        assertThat(bursts.envelope(TWO_MINUTES)).isCloseTo(enough, within(3000 / 40.0));
    }

    @Test
    void doesNotExpectAgainWhatCameOnce() {
        assertThat(after(360, minute -> minute > 100 && minute < 160 ? 3000 : 1000))
                .extracting(arrivals -> arrivals.envelope(TWO_MINUTES))
                .isEqualTo(0.0);
    }

    @Test
    void forgetsWhatIsLongerAgoThanSixHours() {
        Arrivals bursts = after(200, minute -> minute % 40 < 4 ? 3000 : 1000);
        Arrivals later = bursts;
        for (int minute = 200; minute < 600; minute++) {
            later = later.seen(1000, NOON.plus(Duration.ofMinutes(minute)));
        }

        assertThat(bursts.envelope(TWO_MINUTES)).isPositive();
        assertThat(later.envelope(TWO_MINUTES)).isZero();
    }

    @Test
    void learnsNothingFromALookThatCouldNotTell() {
        Arrivals seen = after(20, _ -> 1000);

        assertThat(seen.seen(Double.NaN, NOON.plus(Duration.ofHours(3)))).isSameAs(seen);
    }

    /** What came in is taken to have gone on. */
    @Test
    void expectsNoBurstsOfATimeInWhichNobodyLooked() {
        Arrivals seen = after(20, _ -> 1000).seen(1000, NOON.plus(Duration.ofHours(2)));

        assertThat(seen.envelope(TWO_MINUTES)).isZero();
    }

    @Test
    void beginsAnewAfterTheClockWasSetBack() {
        Arrivals bursts = after(60, minute -> minute % 10 < 4 ? 3000 : 1000);

        assertThat(bursts.envelope(TWO_MINUTES)).isPositive();
        assertThat(bursts.seen(1000, NOON.minus(Duration.ofHours(1))).envelope(TWO_MINUTES))
                .isZero();
    }

    @Test
    void isReadAsItWasWritten() {
        Arrivals bursts = after(360, minute -> minute % 40 < 4 ? 3000 : 1000);
        String text = bursts.text().orElseThrow();

        Arrivals read = Arrivals.read(text, NOON.plus(Duration.ofHours(6)));

        assertThat(text).hasSizeLessThan(512);
        assertThat(read.text()).contains(text);
        assertThat(read.envelope(TWO_MINUTES))
                .isCloseTo(bursts.envelope(TWO_MINUTES), within(3000 / 40.0));
    }

    @Test
    void isEmptyIfItsTextIsBrokenOrOfALaterTime() {
        String text = after(360, _ -> 1000).text().orElseThrow();

        assertThat(Arrivals.read(text, NOON)).isSameAs(Arrivals.NONE);
        assertThat(Arrivals.read(text.substring(4), NOON.plus(Duration.ofDays(1))))
                .isSameAs(Arrivals.NONE);
        assertThat(Arrivals.read("!" + text.substring(1), NOON.plus(Duration.ofDays(1))))
                .isSameAs(Arrivals.NONE);
        assertThat(Arrivals.NONE.text()).isEmpty();
    }

    private static Arrivals after(int minutes, IntToDoubleFunction rate) {
        Arrivals arrivals = Arrivals.NONE;
        for (int minute = 0; minute < minutes; minute++) {
            arrivals =
                    arrivals.seen(
                            rate.applyAsDouble(minute), NOON.plus(Duration.ofMinutes(minute)));
        }
        return arrivals;
    }
}
