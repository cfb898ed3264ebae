// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.model.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RejectedManifestsTest {
    private static final String UID = "0d1c2b3a";
    private static final Duration LOOK = Duration.ofSeconds(15);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final RejectedManifests rejected = new RejectedManifests(() -> now);

    @Test
    void areTriedAgainAfterAPauseThatGetsLongerUpToTwoMinutes() {
        rejected.remember(UID, "attempt", "quota exceeded");

        var tries =
                IntStream.range(0, 60)
                        .filter(
                                _ -> {
                                    now = now.plus(LOOK);
                                    boolean due = refusal("attempt").isDue(now, LOOK);
                                    if (due) {
                                        rejected.remember(UID, "attempt", "quota exceeded");
                                    }
                                    return due;
                                })
                        .mapToObj(look -> LOOK.multipliedBy(look + 1L))
                        .limit(7)
                        .toList();

        assertThat(tries)
                .containsExactly(
                        seconds(15),
                        seconds(45),
                        seconds(105),
                        seconds(225),
                        seconds(345),
                        seconds(465),
                        seconds(585));
    }

    @Test
    void areTriedAtOnceForAnotherAttempt() {
        rejected.remember(UID, "first", "quota exceeded");
        rejected.remember(UID, "first", "quota exceeded");

        assertThat(rejected.of(UID, Optional.of("second"))).isEmpty();
        rejected.remember(UID, "second", "quota exceeded");
        assertThat(refusal("second").times()).isEqualTo(1);
    }

    @Test
    void areTriedAtEachLookWhereLooksAreFurtherApartThanTheLongestPause() {
        Duration hour = Duration.ofHours(1);
        var often = new Refusal("quota exceeded", 40, now);

        assertThat(often.isDue(now.plus(hour), hour)).isTrue();
        assertThat(often.isDue(now.plusSeconds(60), hour)).isFalse();
    }

    @Test
    void keepOnlyTheBeginningOfALongMessage() {
        rejected.remember(UID, "attempt", "containers[0].image: Required value, ".repeat(2000));

        assertThat(refusal("attempt").message())
                .hasSize(4000)
                .startsWith("containers[0].image: Required value")
                .endsWith("\u2026");
    }

    private Refusal refusal(String attempt) {
        return rejected.of(UID, Optional.of(attempt)).orElseThrow();
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
