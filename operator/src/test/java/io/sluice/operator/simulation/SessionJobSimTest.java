// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.simulation.flaw.SessionFlaws;
import io.sluice.testkit.sim.Simulation;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A million steps together with the other kinds'; more with {@code -Dsim.steps=50000000}, or {@code
 * make soak}. A failing seed is printed with what happened last.
 */
class SessionJobSimTest {
    private static final long STEPS = Long.getLong("sim.steps", 500_000L);

    /** The rest is for two operators: {@link TwoLeadersSimTest}. */
    private static final long ALONE = STEPS * 4 / 5;

    private static final long FIRST_SEED = Long.getLong("sim.first", 0);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(SessionFlaws.none()).within(FIRST_SEED, ALONE);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(ALONE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1620, 1712, 2893, 5468, 41733, 42120, 58889, 60009, 504705, 3324})
    void keepsItsPromisesWhateverAJobDidUnseen(long seed) {
        assertThat(simulation(SessionFlaws.none()).run(seed)).isEmpty();
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    @ParameterizedTest
    @EnumSource(SessionFlaws.class)
    void catchesAnOperatorThat(SessionFlaws flaw) {
        assertThat(simulation(EnumSet.of(flaw)).firstOf(20L * SEEDS))
                .map(found -> simulation(SessionFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    private static Simulation simulation(Set<SessionFlaws> flaws) {
        return new Simulation(300, 160, environment -> new SessionJobScenario(environment, flaws));
    }
}
