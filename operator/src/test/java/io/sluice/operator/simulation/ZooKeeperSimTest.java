// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.simulation.DeploymentScenario.Variation;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.testkit.sim.Simulation;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where Flink may keep its metadata in ZooKeeper, which the operator does not read. */
class ZooKeeperSimTest {
    private static final long STEPS = Long.getLong("sim.steps", 500_000L) / 5;
    private static final long FIRST_SEED = Long.getLong("sim.first", 0);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = of(Flaws.none(), Habit.none()).within(FIRST_SEED, STEPS);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS);
    }

    /** They also move a job from one kind of high availability to another. */
    @Test
    void keepsItsPromisesWhateverItsUsersDo() {
        Simulation.Ran ran = of(Flaws.none(), Habit.all()).within(FIRST_SEED, STEPS);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS);
    }

    /** What one attempt has left there would be run by the next, in place of its own spec. */
    @Test
    void catchesAnOperatorWhoseAttemptsShareOneName() {
        assertThat(of(EnumSet.of(Flaws.ONE_NAME_IN_ZOOKEEPER), Habit.none()).firstOf(20L * SEEDS))
                .map(found -> of(Flaws.none(), Habit.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    private static Simulation of(Set<Flaws> flaws, Set<Habit> habits) {
        return new Simulation(
                300,
                120,
                environment ->
                        new DeploymentScenario(environment, flaws, Variation.ZOOKEEPER, habits));
    }
}
