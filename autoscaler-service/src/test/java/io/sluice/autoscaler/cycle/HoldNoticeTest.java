// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.govern.HoldReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldNoticeTest {
    private static final Instant START = Instant.parse("2026-11-27T08:00:00Z");

    private HoldNotice notice = HoldNotice.NONE;
    private int news;
    private Instant now = START;

    @Test
    void tellsOnceOfAHoldThatLasts() {
        hold(HoldReason.COOLING_DOWN, Duration.ofMinutes(4));

        assertThat(notice.told()).isEmpty();

        hold(HoldReason.COOLING_DOWN, Duration.ofMinutes(60));

        assertThat(news).isEqualTo(1);
        assertThat(notice.text())
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .isEqualTo(
                                                "COOLING_DOWN: "
                                                        + HoldReason.COOLING_DOWN.text()
                                                        + "; not carried out: work 2 -> 4"));
    }

    @Test
    void tellsOfAnotherReasonOnceThatOneLastsToo() {
        hold(HoldReason.COOLING_DOWN, Duration.ofMinutes(6));
        hold(HoldReason.LOAD_JUMPS, Duration.ofMinutes(4));

        assertThat(told()).contains(HoldReason.COOLING_DOWN);

        hold(HoldReason.LOAD_JUMPS, Duration.ofMinutes(2));

        assertThat(told()).contains(HoldReason.LOAD_JUMPS);
        assertThat(news).isEqualTo(2);
    }

    @Test
    void tellsOfReasonsThatTakeTurnsThoughNoneOfThemLasts() {
        for (int i = 0; i < 30; i++) {
            hold(HoldReason.COOLING_DOWN, Duration.ofMinutes(1));
            hold(HoldReason.LOAD_JUMPS, Duration.ofMinutes(1));
        }

        assertThat(news).isEqualTo(1);
    }

    @Test
    void tellsNothingOfAProposalThatComesAndGoes() {
        for (int i = 0; i < 30; i++) {
            hold(HoldReason.CHANGE_TOO_SMALL, Duration.ofMinutes(4));
            free(Duration.ofMinutes(1));
        }

        assertThat(news).isZero();
    }

    @Test
    void isOverOnceNothingHasBeenHeldForAsLong() {
        hold(HoldReason.CHANGE_TOO_SMALL, Duration.ofMinutes(6));
        free(Duration.ofMinutes(4));

        assertThat(told()).contains(HoldReason.CHANGE_TOO_SMALL);

        free(Duration.ofMinutes(2));

        assertThat(notice.text()).isEmpty();
    }

    @Test
    void isNotToldAgainAfterARestart() {
        hold(HoldReason.DAY_BUDGET_SPENT, Duration.ofMinutes(6));
        Optional<String> stored = notice.text();

        notice = HoldNotice.NONE.knowing(HoldNotice.read(stored.orElseThrow()));
        hold(HoldReason.DAY_BUDGET_SPENT, Duration.ofMinutes(30));

        assertThat(news).isEqualTo(1);
        assertThat(notice.text()).isEqualTo(stored);
    }

    @Test
    void readsEveryReasonAndNothingElse() {
        assertThat(HoldReason.values())
                .allSatisfy(
                        reason ->
                                assertThat(HoldNotice.read(reason + ": why: so"))
                                        .contains(new HoldNotice.Told(reason, "why: so")));
        assertThat(Arrays.asList("", ":", ": why", "COOLING_DOWN", "OTHER: why"))
                .allSatisfy(text -> assertThat(HoldNotice.read(text)).isEmpty());
    }

    @Test
    void shortensTheTextOfAJobWithManyVertices() {
        notice = notice.held(HoldReason.COOLING_DOWN, "x".repeat(100_000), now);
        notice =
                notice.held(
                        HoldReason.COOLING_DOWN,
                        "x".repeat(100_000),
                        now.plus(Duration.ofMinutes(5)));

        assertThat(notice.text().orElseThrow().length()).isLessThan(1100);
    }

    /** A look each 15 seconds. */
    private void hold(HoldReason reason, Duration time) {
        for (Instant end = now.plus(time); now.isBefore(end); now = now.plusSeconds(15)) {
            HoldNotice next = notice.held(reason, "work 2 -> 4", now);
            news += next.newsSince(notice).isPresent() ? 1 : 0;
            notice = next;
        }
    }

    private void free(Duration time) {
        for (Instant end = now.plus(time); now.isBefore(end); now = now.plusSeconds(15)) {
            notice = notice.free(now);
        }
    }

    private Optional<HoldReason> told() {
        return notice.told().map(HoldNotice.Told::reason);
    }
}
