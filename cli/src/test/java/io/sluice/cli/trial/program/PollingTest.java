// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollingTest {
    private static final Instant BEGAN = Instant.parse("2026-03-01T12:00:00Z");

    private Instant now = BEGAN;
    private final StringWriter out = new StringWriter();
    private final Polling polling =
            new Polling(
                    new Tell(new PrintWriter(out, true), () -> now),
                    () -> now,
                    pause -> now = now.plus(pause));

    @Test
    void tellsSomethingAtLeastEachTenSecondsWhileNothingChanges() {
        boolean held = polling.until("a pod", Duration.ofSeconds(35), () -> "", () -> false);

        assertThat(held).isFalse();
        assertThat(seconds()).hasSizeGreaterThan(3);
        int before = 0;
        for (int second : seconds()) {
            assertThat(second - before).isLessThanOrEqualTo(10);
            before = second;
        }
    }

    @Test
    void tellsWhatIsSeenOnceForEachChange() {
        polling.until(
                "a pod",
                Duration.ofSeconds(5),
                () -> isBefore(4) ? "Pending" : "Running",
                () -> false);

        assertThat(out.toString().lines().map(line -> line.replaceAll(".*\\] ", "")))
                .containsExactly("Pending", "Running");
    }

    @Test
    void endsAsSoonAsItHolds() {
        boolean held = polling.until("a pod", Duration.ofMinutes(5), () -> "", () -> !isBefore(4));

        assertThat(held).isTrue();
        assertThat(now).isEqualTo(BEGAN.plusSeconds(4));
    }

    private boolean isBefore(int seconds) {
        return now.isBefore(BEGAN.plusSeconds(seconds));
    }

    private List<Integer> seconds() {
        return out.toString()
                .lines()
                .map(line -> Integer.valueOf(line.replaceAll(".*\\[0:(\\d+)\\].*", "$1")))
                .toList();
    }
}
