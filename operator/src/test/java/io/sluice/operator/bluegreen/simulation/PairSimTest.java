// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.sim.Simulation;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hundred thousand steps; more with {@code -Dsim.steps=50000000}. A failing seed is printed with
 * what happened last.
 */
class PairSimTest {
    private static final long STEPS = Long.getLong("sim.steps", 100_000L);
    private static final long FIRST_SEED = Long.getLong("sim.first", 0);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(PairFlaws.none()).within(FIRST_SEED, STEPS);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS);
    }

    /** A suspension is taken back before the operator looks: the savepoint of before serves. */
    @ParameterizedTest
    @ValueSource(longs = {108661, 112228, 116823})
    void goesOnWhenNobodyHasSeenAWishThatWasTakenBack(long seed) {
        assertThat(new Simulation(300, 160, PairScenario::former).run(seed)).isEmpty();
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    @ParameterizedTest
    @EnumSource(PairFlaws.class)
    void catchesAnOperatorThat(PairFlaws flaw) {
        assertThat(simulation(EnumSet.of(flaw)).firstOf(20L * SEEDS))
                .map(found -> simulation(PairFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    @Test
    void hasAnalysesThatPassFailAndStayUnknown() {
        Queue<PairScenario> scenarios = new ConcurrentLinkedQueue<>();
        var simulation =
                new Simulation(
                        300,
                        160,
                        environment -> {
                            var scenario = new PairScenario(environment, PairFlaws.none());
                            scenarios.add(scenario);
                            return scenario;
                        });

        assertThat(simulation.of(SEEDS).toList()).isEmpty();
        assertThat(scenarios.stream().flatMap(it -> it.verdicts().stream()))
                .contains(SimulatedAnalysis.Verdict.values());
    }

    /** One that was made for a former transition. */
    @Test
    void seesThatAHalfStartsFromAnOldSavepoint() {
        assertThat(
                        simulation(EnumSet.of(PairFlaws.TRIGGER_REUSED))
                                .of(SEEDS)
                                .anyMatch(finding -> finding.problem().contains("state is lost")))
                .isTrue();
    }

    private static Simulation simulation(Set<PairFlaws> flaws) {
        return new Simulation(300, 160, environment -> new PairScenario(environment, flaws));
    }
}
