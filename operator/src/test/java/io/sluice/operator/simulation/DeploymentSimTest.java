// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.sluice.operator.simulation.DeploymentScenario.Variation;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.testkit.sim.Simulation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A million steps together with the other kinds'; more with {@code -Dsim.steps=50000000}, or {@code
 * make soak}. A failing seed is printed with what happened last.
 */
class DeploymentSimTest {
    private static final long STEPS = Long.getLong("sim.steps", 500_000L);

    /** The rest is for two operators: {@link TwoLeadersSimTest}. */
    private static final long ALONE = STEPS * 4 / 5;

    private static final long FIRST_SEED = Long.getLong("sim.first", 0);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(Flaws.none()).within(FIRST_SEED, ALONE);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(ALONE);
    }

    /** A restart may begin then although nobody has edited anything. */
    @Test
    void keepsItsPromisesWhileTheJobIsScaledByRestarts() {
        Simulation.Ran ran = autoscaled().within(FIRST_SEED, STEPS / 5);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS / 5);
    }

    /** Its job may come to its end meanwhile, and leave a savepoint that nobody is told of. */
    @Test
    void keepsItsPromisesWhileJobManagersHang() {
        Simulation.Ran ran =
                new Simulation(
                                200,
                                220,
                                environment ->
                                        new DeploymentScenario(
                                                environment, Flaws.none(), Variation.HANGS))
                        .within(FIRST_SEED, STEPS / 5);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS / 5);
    }

    /** A running job is not stopped for an image that no kubelet can pull. */
    @Test
    void keepsItsPromisesWhereImagesArePulledFirst() {
        Simulation.Ran ran =
                new Simulation(
                                300,
                                120,
                                environment ->
                                        new DeploymentScenario(
                                                environment, Flaws.none(), Variation.PULLS))
                        .within(FIRST_SEED, STEPS / 5);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS / 5);
    }

    /**
     * One that failed unseen, one that finished while it was being stopped, and one that did so
     * when what it was stopped for had been taken back.
     */
    @ParameterizedTest
    @ValueSource(longs = {812, 1032, 22512})
    void startsNoJobAgainThatHasEnded(long seed) {
        assertThat(autoscaled().run(seed)).isEmpty();
    }

    /** Found in a hundred thousand seeds, by {@code make soak}. */
    @ParameterizedTest
    @ValueSource(longs = {66926, 85341, 85729, 94922, 113066, 116263})
    void losesNothingOfAJobThatCameUpUnseen(long seed) {
        assertThat(simulation(Flaws.none()).run(seed)).isEmpty();
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    @ParameterizedTest
    @EnumSource(value = Flaws.class, mode = EXCLUDE, names = "ONE_NAME_IN_ZOOKEEPER")
    void catchesAnOperatorThat(Flaws flaw) {
        assertThat(simulation(EnumSet.of(flaw)).firstOf(20L * SEEDS))
                .map(found -> simulation(Flaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    @Test
    void seesTwoJobsRunWhereADeletionIsNotAwaited() {
        assertThat(
                        simulation(EnumSet.of(Flaws.DELETION_NOT_AWAITED))
                                .of(SEEDS)
                                .anyMatch(finding -> finding.problem().contains("two jobs run")))
                .isTrue();
    }

    /** A share of all habits, or with {@code -Dsim.habits=A,B} of those. */
    @Test
    void keepsItsPromisesWhateverItsUsersDo() {
        Simulation.Ran ran = of(habits()).within(FIRST_SEED, STEPS / 5);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS / 5);
    }

    /**
     * A JobManager that fails to answer once, a lost status whose job is suspended as a stateless
     * one, an attempt that runs and fails unseen after it was replaced, and a JobManager that was
     * started again after its job had failed and tells of no checkpoints.
     */
    @ParameterizedTest
    @ValueSource(longs = {15274, 22265, 15582, 30446})
    void losesNoStateByWhatItsUsersDo(long seed) {
        assertThat(of(Habit.all()).run(seed)).isEmpty();
    }

    private static Set<Habit> habits() {
        String asked = System.getProperty("sim.habits", "");
        return asked.isEmpty()
                ? Habit.all()
                : Arrays.stream(asked.split(","))
                        .map(Habit::valueOf)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Habit.class)));
    }

    private static Simulation of(Set<Habit> habits) {
        return new Simulation(
                300, 120, environment -> new DeploymentScenario(environment, Flaws.none(), habits));
    }

    private static Simulation autoscaled() {
        return new Simulation(
                300,
                120,
                environment ->
                        new DeploymentScenario(environment, Flaws.none(), Variation.AUTOSCALED));
    }

    private static Simulation simulation(Set<Flaws> flaws) {
        return new Simulation(300, 120, environment -> new DeploymentScenario(environment, flaws));
    }
}
