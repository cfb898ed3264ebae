// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void remembersWhatIdlesAsText() {
        History idle = new History(List.of(), 300, Optional.of(NOW.minusSeconds(60)));
        String text = idle.idleText(NOW).orElseThrow();
        Instant later = NOW.plus(Duration.ofDays(1));

        assertThat(History.NONE.withIdle(text, NOW)).isEqualTo(idle);
        assertThat(History.NONE.withIdle(text, later).wastingSince())
                .contains(later.minusSeconds(60));
        assertThat(History.NONE.idleText(NOW)).isEmpty();
        for (String broken : List.of("", "much PT1M", "300 long", "-1 PT1M", "NaN PT1M", "1")) {
            assertThat(History.NONE.withIdle(broken, NOW)).isEqualTo(History.NONE);
        }
    }

    @Test
    void remembersItsRescalesAsText() {
        History history =
                History.NONE
                        .with(new Rescale(NOW.minusSeconds(7200), Direction.DOWN))
                        .with(new Rescale(NOW.minusSeconds(90), Direction.UP))
                        .with(new Rescale(NOW.minusSeconds(60), Direction.UP, true));

        assertThat(History.parse(history.text())).isEqualTo(history);
        assertThat(History.parse("soon UP,2026-01-01T00:00:00Z SIDEWAYS, ,x"))
                .isEqualTo(History.NONE);
        assertThat(History.parse("2026-01-01T00:00:00Z UP for fun,2026-01-01T00:00:00Z UP fun"))
                .isEqualTo(History.NONE);
    }

    @Test
    void doesNotCountARescaleThatNeverCameAbout() {
        Rescale came = new Rescale(NOW.minusSeconds(7200), Direction.UP);
        Rescale never = new Rescale(NOW.minusSeconds(60), Direction.UP);

        assertThat(History.NONE.with(came).with(never).without(never))
                .isEqualTo(History.NONE.with(came));
    }
}
