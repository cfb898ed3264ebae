// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.NOW;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SteadyLoadTest {
    private static final Duration LEAST = Duration.ofHours(4);
    private static final Sizing SIZING =
            Proposals.sizing(0.74, 200, Alignment.FULLEST, new Scalability.Learned());
    private static final Budget BUDGET = Budget.DEFAULT.whileCalm();

    /** In minutes. */
    private static final int HOURS = 60;

    @Test
    void lastsOnceALoadHasStayedTheSameForLong() {
        SteadyLoad steadyLoad = after(4 * HOURS, _ -> 1000);

        assertThat(steadyLoad.lasts(LEAST, at(4 * HOURS - 1))).isFalse();
        assertThat(steadyLoad.lasts(LEAST, at(4 * HOURS))).isTrue();
    }

    @Test
    void beginsAnewWhenTheLoadMoves() {
        SteadyLoad moved = after(4 * HOURS, minute -> minute < HOURS ? 1000 : 1030);

        assertThat(moved.lasts(LEAST, at(4 * HOURS))).isFalse();
        assertThat(moved.since()).contains(at(HOURS));
        assertThat(after(4 * HOURS, minute -> minute < HOURS ? 1000 : 1020).since())
                .contains(at(0));
    }

    @Test
    void beginsAnewWhenALoadCreepsAway() {
        assertThat(after(4 * HOURS, minute -> 1000 + minute).since().orElseThrow())
                .isAfter(at(3 * HOURS));
    }

    @Test
    void knowsALoadOfNothing() {
        assertThat(after(4 * HOURS, _ -> 0).lasts(LEAST, at(4 * HOURS))).isTrue();
    }

    @Test
    void waitsUntilAJobThatWasRestartedHasBeenMeasured() {
        SteadyLoad restarted = after(4 * HOURS, _ -> 1000).interrupted();

        assertThat(restarted.since()).contains(at(0));
        assertThat(restarted.lasts(LEAST, at(5 * HOURS))).isFalse();
        SteadyLoad seen = restarted.seen(looked(5 * HOURS, 1000, 1250));
        assertThat(seen.lasts(LEAST, at(5 * HOURS + 29))).isFalse();
        assertThat(seen.lasts(LEAST, at(5 * HOURS + 30))).isTrue();
    }

    @Test
    void isMetOnce() {
        SteadyLoad met = after(4 * HOURS, _ -> 1000).met();

        assertThat(met.lasts(LEAST, at(9 * HOURS))).isFalse();
        assertThat(met.seen(looked(4 * HOURS, 1500, 1250)).lasts(LEAST, at(9 * HOURS))).isTrue();
    }

    @Test
    void neverLastsWhereNobodyWantsIt() {
        assertThat(after(4 * HOURS, _ -> 1000).lasts(Duration.ZERO, at(4 * HOURS))).isFalse();
    }

    @Test
    void fitsByTheMeanOfAllThatWasMeasured() {
        SteadyLoad steadyLoad = SteadyLoad.NONE;
        for (int minute = 0; minute <= 4 * HOURS; minute++) {
            steadyLoad = steadyLoad.seen(looked(minute, 1000, minute % 2 == 0 ? 1150 : 1250));
        }
        Proposal noisy = looked(4 * HOURS, 1000, 900);

        assertThat(SIZING.exactly(noisy).overrides()).containsEntry("work", 16);
        assertThat(steadyLoad.fit(noisy, SIZING, BUDGET).overrides()).containsEntry("work", 12);
    }

    @Test
    void leavesAJobThatNearlyFits() {
        SteadyLoad steadyLoad = after(4 * HOURS, _ -> 950);
        Proposal asked = looked(4 * HOURS, 950, 1250);

        assertThat(SIZING.exactly(asked).overrides()).containsEntry("work", 11);
        assertThat(steadyLoad.fit(asked, SIZING, BUDGET).changesNothing()).isTrue();
    }

    @Test
    void leavesNoVertexThatCanNotKeepUp() {
        Proposal swamped = job(vertex(1, 2).needing(100, 99, 0, false));
        SteadyLoad steadyLoad = SteadyLoad.NONE;
        for (int minute = 0; minute <= 4 * HOURS; minute++) {
            steadyLoad = steadyLoad.seen(swamped.withNow(at(minute)));
        }

        Proposal fitted = steadyLoad.fit(swamped.withNow(at(4 * HOURS)), SIZING, BUDGET);

        assertThat(fitted.overrides()).containsEntry("work", 2);
    }

    @Test
    void leavesAJobWhoseLoadHasJustMoved() {
        SteadyLoad moved = after(4 * HOURS, minute -> minute < 4 * HOURS ? 1000 : 2000);

        assertThat(moved.fit(looked(4 * HOURS, 2000, 1250), SIZING, BUDGET).changesNothing())
                .isTrue();
    }

    @Test
    void passesOverALookThatCouldNotMeasure() {
        SteadyLoad steadyLoad = after(4 * HOURS, _ -> 1000);

        SteadyLoad unmeasured = steadyLoad.seen(looked(4 * HOURS, 1000, Double.NaN));

        assertThat(unmeasured.levels()).isEqualTo(steadyLoad.levels());
    }

    /** Looked at every minute; subtasks could do 125 records a second each. */
    private static SteadyLoad after(int minutes, IntToDoubleFunction rate) {
        SteadyLoad steadyLoad = SteadyLoad.NONE;
        for (int minute = 0; minute <= minutes; minute++) {
            steadyLoad = steadyLoad.seen(looked(minute, rate.applyAsDouble(minute), 1250));
        }
        return steadyLoad;
    }

    private static Proposal looked(int minute, double rate, double capacity) {
        Proposal drawn = job(vertex(10, 20).needing(capacity, rate, 0, false));
        return drawn.withNow(at(minute));
    }

    private static Instant at(int minute) {
        return NOW.plus(Duration.ofMinutes(minute));
    }
}
