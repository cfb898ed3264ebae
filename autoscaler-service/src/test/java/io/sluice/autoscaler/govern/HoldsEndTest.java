// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.GovernorTest.day;
import static io.sluice.autoscaler.govern.GovernorTest.decide;
import static io.sluice.autoscaler.govern.GovernorTest.rescaled;
import static io.sluice.autoscaler.govern.Proposals.NOW;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.history.Direction;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.history.Rescale;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How long a job that is behind is held, looked at each 15 seconds while nothing else changes. */
class HoldsEndTest {
    private static final Duration LOOKS = Duration.ofSeconds(15);
    private static final Trend JUMPING = new Trend(1.2, 0, 0.3, 0.3);
    private static final Proposal LATE =
            job(vertex(10, 14).needing(1000, 2000, 0, false).waiting(2000 * 300));

    /** Half the load of what it could do, if that were true: its lag stays what it is. */
    private static final Proposal SEEMS_TO_CATCH_UP =
            job(vertex(10, 14).needing(1000, 500, 700, false).waiting(500 * 300));

    static Stream<Arguments> holds() {
        return Stream.of(
                Arguments.of(
                        "the day is spent",
                        LATE,
                        day(20).with(new Rescale(NOW, Direction.DOWN)),
                        Set.of(HoldReason.COOLING_DOWN, HoldReason.DAY_BUDGET_SPENT),
                        Duration.ofMinutes(10)),
                Arguments.of(
                        "the load jumps",
                        LATE.withTrend(JUMPING),
                        History.NONE,
                        Set.of(HoldReason.LOAD_JUMPS),
                        Duration.ofMinutes(2)),
                Arguments.of(
                        "the load jumps and nobody tells what waits",
                        job(vertex(10, 20).swamped()).withTrend(JUMPING),
                        History.NONE,
                        Set.of(HoldReason.LOAD_JUMPS),
                        Duration.ofMinutes(10)),
                Arguments.of(
                        "its backlog seems to shrink and does not",
                        SEEMS_TO_CATCH_UP,
                        History.NONE,
                        Set.of(HoldReason.BACKLOG_SHRINKS),
                        Duration.ofMinutes(10)),
                Arguments.of(
                        "it was just scaled down",
                        LATE,
                        rescaled(Direction.DOWN, Duration.ZERO),
                        Set.of(HoldReason.COOLING_DOWN),
                        Budget.DEFAULT.coolDown()),
                Arguments.of(
                        "the cluster has no room",
                        job(vertex(10, 14).swamped().published(12)),
                        rescaled(Direction.UP, Duration.ZERO),
                        Set.of(HoldReason.COOLING_DOWN, HoldReason.SCALE_UP_PENDING),
                        Duration.ofHours(1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("holds")
    void endsInTime(
            String what,
            Proposal behind,
            History history,
            Set<HoldReason> reasons,
            Duration longest) {
        Set<HoldReason> seen = EnumSet.noneOf(HoldReason.class);
        Duration time = Duration.ZERO;
        while (decide(at(behind, time), history) instanceof ScalePlan.Hold(var reason, _)
                && time.compareTo(longest) <= 0) {
            seen.add(reason);
            time = time.plus(LOOKS);
        }

        assertThat(time).as(what).isPositive().isLessThanOrEqualTo(longest);
        assertThat(reasons).as(what).containsAll(seen);
    }

    private static Proposal at(Proposal behind, Duration time) {
        boolean isPending = behind.vertices().values().stream().anyMatch(Vertex::isPending);
        Instant now = NOW.plus(time);
        return behind.with()
                .now(now)
                .shortFor(time)
                .pendingFor(isPending ? time : Duration.ZERO)
                .build();
    }
}
