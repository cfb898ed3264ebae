// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.deployment.simulation.habits.Habit;
import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.RecordedDecisions;
import io.sluice.operator.world.ShorterStory;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.SeedsToRun;
import io.sluice.testkit.sim.Simulation;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The world of {@link DeploymentWorldSimTest} with the habits of users, tools and clusters: a share
 * of all in each run, or with {@code -Dsim.habits=A,B} of those.
 */
class HabitsSimTest {
    private static final SeedsToRun SEEDS_TO_RUN = new SeedsToRun(59_000);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(DeploymentFlaws.none()).within(SEEDS_TO_RUN);

        assertThat(ShorterStory.ofEach(ran.findings(), HabitsSimTest::sound)).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(SEEDS_TO_RUN.steps());
    }

    /** Most edits are, as the deadline is shorter than many starts. */
    @Test
    void keepsItsPromisesWhileSpecsAreRolledBack() {
        SeedsToRun seeds = new SeedsToRun(9_200);
        Simulation.Ran ran =
                simulation(DeploymentFlaws.none(), EnumSet.of(Habit.ROLLS_BACK)).within(seeds);

        assertThat(ShorterStory.ofEach(ran.findings(), HabitsSimTest::rollingBack)).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(seeds.steps());
    }

    /** The attempt of the run was to be rolled back before its job came up. */
    @ParameterizedTest
    @ValueSource(longs = {269, 425})
    void losesNothingOfARunThatNobodyHasSeen(long seed) {
        assertThat(simulation(DeploymentFlaws.none(), EnumSet.of(Habit.ROLLS_BACK)).run(seed))
                .isEmpty();
    }

    private static DeploymentScenario rollingBack(
            Environment environment, Disturbances disturbances) {
        return new DeploymentScenario(
                environment, DeploymentFlaws.none(), disturbances, EnumSet.of(Habit.ROLLS_BACK));
    }

    @Test
    void decidesAsRecorded() throws IOException {
        new RecordedDecisions("habits", simulation(DeploymentFlaws.none())).compare();
    }

    private static DeploymentScenario sound(Environment environment, Disturbances disturbances) {
        return new DeploymentScenario(environment, DeploymentFlaws.none(), disturbances, habits());
    }

    private static Set<Habit> habits() {
        String asked = System.getProperty("sim.habits", "");
        return asked.isEmpty()
                ? Habit.all()
                : Arrays.stream(asked.split(","))
                        .map(Habit::valueOf)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Habit.class)));
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    @EnabledIfSystemProperty(named = "sim.flaws", matches = "true")
    @ParameterizedTest
    @EnumSource(value = DeploymentFlaws.class)
    void catchesAnOperatorThat(DeploymentFlaws flaw) {
        assertThat(simulation(EnumSet.of(flaw)).firstOf(10L * SEEDS))
                .map(found -> simulation(DeploymentFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    static Simulation simulation(Set<DeploymentFlaws> flaws) {
        return simulation(flaws, habits());
    }

    private static Simulation simulation(Set<DeploymentFlaws> flaws, Set<Habit> habits) {
        return new Simulation(
                300,
                160,
                environment ->
                        new DeploymentScenario(
                                environment,
                                flaws,
                                new Disturbances(environment, Set.of()),
                                habits));
    }
}
