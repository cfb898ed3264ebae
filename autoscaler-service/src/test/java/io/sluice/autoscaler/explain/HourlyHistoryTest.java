// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HourlyHistoryTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final int WEEKS = 28 * 24;

    @Test
    void anHourHasTheMeanOfRatesAndSlotsAndTheMostLag() {
        HourlyHistory history = new HourlyHistory();
        history.add(NOON, 100, 4, 10);
        history.add(NOON.plusSeconds(15), 200, 6, 90);
        history.add(NOON.plusSeconds(30), 60, 8, 20);

        ObjectNode hours = json(history);

        assertThat(hours.at("/times/0").asLong()).isEqualTo(NOON.getEpochSecond());
        assertThat(hours.at("/rate/0").asDouble()).isEqualTo(120);
        assertThat(hours.at("/slots/0").asDouble()).isEqualTo(6);
        assertThat(hours.at("/lagSeconds/0").asDouble()).isEqualTo(90);
    }

    @Test
    void theMeanOfManyLooksIsNotHeldBackByRounding() {
        HourlyHistory history = new HourlyHistory();
        for (int look = 0; look < 240; look++) {
            history.add(NOON.plusSeconds(15L * look), look < 120 ? 1000 : 1100, 4, 0);
        }

        assertThat(json(history).at("/rate/0").asDouble()).isBetween(1046.0, 1054.0);
    }

    @Test
    void whatIsUnknownChangesNothingAndHoursThatNobodySawAreNull() {
        HourlyHistory history = new HourlyHistory();
        history.add(NOON, 100, 4, Double.NaN);
        history.add(NOON.plusSeconds(15), Double.POSITIVE_INFINITY, 4, Double.NaN);
        history.add(NOON.plus(Duration.ofHours(2)), 50, 2, 0);

        ObjectNode hours = json(history);

        assertThat(hours.path("times")).hasSize(3);
        assertThat(hours.at("/rate/0").asDouble()).isEqualTo(100);
        assertThat(hours.at("/lagSeconds/0").isNull()).isTrue();
        assertThat(hours.at("/rate/1").isNull()).isTrue();
        assertThat(hours.at("/rate/2").asDouble()).isEqualTo(50);
    }

    @Test
    void keepsFourWeeks() {
        HourlyHistory history = new HourlyHistory();
        for (int hour = 0; hour < 2 * WEEKS; hour++) {
            history.add(NOON.plus(Duration.ofHours(hour)), hour % 256, 1, 0);
        }

        ObjectNode hours = json(history);

        assertThat(hours.path("times")).hasSize(WEEKS);
        assertThat(hours.at("/times/0").asLong())
                .isEqualTo(NOON.plus(Duration.ofHours(WEEKS)).getEpochSecond());
        assertThat(hours.path("rate").path(WEEKS - 1).asDouble()).isEqualTo((2 * WEEKS - 1) % 256);
    }

    @Test
    void goesOnAfterARestart() {
        HourlyHistory history = new HourlyHistory();
        for (int hour = 0; hour < 30; hour++) {
            history.add(NOON.plus(Duration.ofHours(hour)), 100 + hour, 4, hour);
        }
        Instant later = NOON.plus(Duration.ofHours(30));

        HourlyHistory read = HourlyHistory.read(history.text().orElseThrow(), later);
        assertThat(json(read)).isEqualTo(json(history));

        history.add(later, 7, 1, 0);
        read.add(later, 7, 1, 0);
        assertThat(json(read)).isEqualTo(json(history));
        assertThat(read.text().orElseThrow()).hasSizeLessThan(6000);
    }

    @Test
    void beginsAnewFromWhatCanNotBeReadOrIsOfALaterTime() {
        HourlyHistory history = new HourlyHistory();
        history.add(NOON, 100, 4, 10);
        String good = history.text().orElseThrow();

        assertThat(HourlyHistory.read(good, NOON.minus(Duration.ofDays(1))).text()).isEmpty();
        for (String broken :
                List.of(
                        "",
                        "no base64!",
                        good.substring(4),
                        Base64.getEncoder().encodeToString(new byte[100_000]))) {
            assertThat(HourlyHistory.read(broken, NOON).text()).isEqualTo(Optional.empty());
        }
    }

    @Test
    void anHourThatIsOverStaysAsItWasWhenTheClockIsSetBack() {
        HourlyHistory history = new HourlyHistory();
        history.add(NOON.plus(Duration.ofHours(1)), 100, 4, 10);

        history.add(NOON, 900, 9, 9);

        assertThat(json(history).path("rate")).hasSize(1);
        assertThat(json(history).at("/rate/0").asDouble()).isEqualTo(100);
    }

    @Test
    void beginsAnewWhenTheClockIsSetBackByMonths() {
        HourlyHistory history = new HourlyHistory();
        history.add(NOON.plus(Duration.ofDays(90)), 100, 4, 10);

        history.add(NOON, 50, 2, 0);

        assertThat(json(history).path("times")).hasSize(1);
        assertThat(json(history).at("/rate/0").asDouble()).isEqualTo(50);
    }

    private static ObjectNode json(HourlyHistory history) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        history.writeTo(json);
        return json;
    }
}
