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

/**
 * The world of {@link DeploymentWorldSimTest} with an autoscaler, an administrator who changes the
 * operator's defaults, users who change options, and jobs that are ill or do not come up.
 */
class ScaledWorldSimTest {
    private static final SeedsToRun SEEDS_TO_RUN = new SeedsToRun(99_000);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(DeploymentFlaws.none()).within(SEEDS_TO_RUN);

        assertThat(ShorterStory.ofEach(ran.findings(), ScaledWorldSimTest::sound)).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(SEEDS_TO_RUN.steps());
    }

    @Test
    void decidesAsRecorded() throws IOException {
        new RecordedDecisions("scaled-deployments", simulation(DeploymentFlaws.none())).compare();
    }

    private static DeploymentScenario sound(Environment environment, Disturbances disturbances) {
        return new DeploymentScenario(environment, DeploymentFlaws.none(), disturbances, true);
    }

    /**
     * By what comes of the flaw: without it the same seed keeps every promise. Only on demand, as
     * it takes a minute for each.
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
        return DeploymentFlaws.ofScaling();
    }

    private static Simulation simulation(Set<DeploymentFlaws> flaws) {
        return new Simulation(
                300,
                160,
                environment ->
                        new DeploymentScenario(
                                environment, flaws, new Disturbances(environment, Set.of()), true));
    }
}
