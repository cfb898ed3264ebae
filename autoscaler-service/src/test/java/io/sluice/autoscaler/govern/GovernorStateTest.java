// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.govern.SteadyLoad.Level;
import io.sluice.autoscaler.history.Arrivals;
import io.sluice.autoscaler.history.Direction;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.history.Rescale;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GovernorStateTest {
    private static final String STEADY_LOAD = "governorSteadyLoad";
    private static final String READS = "aa";

    @Test
    void goesOnAfterARestartAsBefore() {
        GovernorState state =
                state(
                        new History(
                                List.of(new Rescale(NOW.minusSeconds(7200), Direction.UP)),
                                300,
                                Optional.of(NOW.minusSeconds(60))),
                        new SteadyLoad(
                                Optional.of(NOW.minus(Duration.ofHours(3))),
                                Optional.of(NOW.minus(Duration.ofHours(2))),
                                new TreeMap<>(
                                        Map.of(
                                                READS,
                                                new Level(1000.5, 1250.25, 17),
                                                "bb",
                                                new Level(0, Double.NaN, 0))),
                                true));

        assertThat(GovernorState.read(state.text(NOW), NOW)).isEqualTo(state);
    }

    @Test
    void remembersALoadThatIsNotMeasuredYet() {
        GovernorState state = state(History.NONE, steady(1).interrupted());

        assertThat(GovernorState.read(state.text(NOW), NOW)).isEqualTo(state);
    }

    @Test
    void hasNoEntryForWhatItDoesNotRemember() {
        assertThat(GovernorState.NONE.text(NOW)).isEmpty();
        assertThat(GovernorState.read(Map.of(), NOW)).isEqualTo(GovernorState.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "soon - false;aa 1 2 3",
                "2026-01-01T00:00:00Z",
                "2026-01-01T00:00:00Z - false;aa 1 2",
                "2026-01-01T00:00:00Z - false;aa one 2 3",
                "2026-01-01T00:00:00Z - false;aa 1 2 99999999999",
                "{}",
            })
    void forgetsALoadThatCanNotBeRead(String text) {
        assertThat(GovernorState.read(Map.of(STEADY_LOAD, text), NOW))
                .isEqualTo(GovernorState.NONE);
    }

    @Test
    void forgetsALoadOfALaterTimeThanItIs() {
        GovernorState state = state(History.NONE, steady(1));

        assertThat(GovernorState.read(state.text(NOW), NOW.minus(Duration.ofDays(1))))
                .isEqualTo(GovernorState.NONE);
    }

    @Test
    void neitherWritesNorReadsTheLoadOfThousandsOfVertices() {
        assertThat(state(History.NONE, steady(5000)).text(NOW)).isEmpty();
        assertThat(
                        GovernorState.read(
                                Map.of(
                                        STEADY_LOAD,
                                        "2026-01-01T00:00:00Z - false" + ";aa 1 2 3".repeat(5000)),
                                NOW))
                .isEqualTo(GovernorState.NONE);
    }

    private static GovernorState state(History history, SteadyLoad load) {
        return new GovernorState(history, load, Arrivals.NONE, Capacities.NONE, Saturation.NONE);
    }

    private static SteadyLoad steady(int vertices) {
        return new SteadyLoad(
                Optional.of(NOW.minus(Duration.ofHours(3))),
                Optional.of(NOW.minus(Duration.ofHours(2))),
                IntStream.range(0, vertices)
                        .boxed()
                        .collect(
                                Collectors.toMap(
                                        i -> READS + i,
                                        i -> new Level(i, 2.0 * i, i),
                                        (one, _) -> one,
                                        TreeMap::new)),
                false);
    }
}
