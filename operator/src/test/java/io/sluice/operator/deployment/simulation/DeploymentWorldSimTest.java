// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.RecordedDecisions;
import io.sluice.operator.world.ShorterStory;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.SeedsToRun;
import io.sluice.testkit.sim.Simulation;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Production's code for FlinkDeployments on an API server in memory, a node and a Flink. A failing
 * seed is printed with the shortest story that was found of it.
 */
class DeploymentWorldSimTest {
    private static final SeedsToRun SEEDS_TO_RUN = new SeedsToRun(299_000);

    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(DeploymentFlaws.none()).within(SEEDS_TO_RUN);

        assertThat(ShorterStory.ofEach(ran.findings(), DeploymentWorldSimTest::sound)).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(SEEDS_TO_RUN.steps());
    }

    @Test
    void decidesAsRecorded() throws IOException {
        new RecordedDecisions("flink-deployments", simulation(DeploymentFlaws.none())).compare();
    }

    /** Checkpoints of runs that nobody had seen. */
    @ParameterizedTest
    @ValueSource(longs = {606, 1561, 3490})
    void losesNothingOfARunThatCameUpUnseen(long seed) {
        assertThat(simulation(DeploymentFlaws.none()).run(seed)).isEmpty();
    }

    /** Services that somebody deletes, and a cluster that nobody has recorded. */
    @ParameterizedTest
    @ValueSource(longs = {55, 402, 484, 508})
    void waitsForNothingThatNeverComes(long seed) {
        assertThat(simulation(DeploymentFlaws.none()).run(seed)).isEmpty();
    }

    private static DeploymentScenario sound(Environment environment, Disturbances disturbances) {
        return new DeploymentScenario(environment, DeploymentFlaws.none(), disturbances);
    }

    /**
     * By what comes of the flaw: without it the same seed keeps every promise. Only on demand, as
     * it is not shown yet within how many seeds each is found.
     */
    @EnabledIfSystemProperty(named = "sim.flaws", matches = "true")
    @ParameterizedTest
    @MethodSource("flaws")
    void catchesAnOperatorThat(DeploymentFlaws flaw) {
        assertThat(simulation(EnumSet.of(flaw)).firstOf(10L * SEEDS))
                .map(found -> simulation(DeploymentFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    static Set<DeploymentFlaws> flaws() {
        return EnumSet.complementOf(EnumSet.copyOf(DeploymentFlaws.ofScaling()));
    }

    static Simulation simulation(Set<DeploymentFlaws> flaws) {
        return simulation(flaws, Set.of());
    }

    static Simulation simulation(Set<DeploymentFlaws> flaws, Set<Integer> left) {
        return new Simulation(
                300,
                160,
                environment ->
                        new DeploymentScenario(
                                environment, flaws, new Disturbances(environment, left)));
    }
}
