// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.RecordedDecisions;
import io.sluice.operator.world.ShorterStory;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.SeedsToRun;
import io.sluice.testkit.sim.Simulation;
import io.sluice.testkit.sim.Simulation.Finding;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Production's code for FlinkSessionJobs on an API server in memory and a simulated session
 * cluster. A failing seed is printed with the shortest story that was found of it.
 */
class SessionWorldSimTest {
    private static final SeedsToRun SEEDS_TO_RUN = new SeedsToRun(20_000);

    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(SessionFlaws.none()).within(SEEDS_TO_RUN);

        assertThat(ShorterStory.ofEach(ran.findings(), SessionWorldSimTest::sound)).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(SEEDS_TO_RUN.steps());
    }

    @Test
    void decidesAsRecorded() throws IOException {
        new RecordedDecisions("session-jobs", simulation(SessionFlaws.none())).compare();
    }

    @ParameterizedTest
    @ValueSource(longs = {1047})
    void releasesNoJobThatRunsOnAfterItsStop(long seed) {
        assertThatItIsKept(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1044})
    void beginsNothingAnewWhereFlinkHasForgottenTheSavepoint(long seed) {
        assertThatItIsKept(seed);
    }

    /** An end of which the savepoint was not told is not known. */
    @ParameterizedTest
    @ValueSource(longs = {5404})
    void asksWhereTheSavepointOfAnEndWasNotTold(long seed) {
        assertThatItIsKept(seed);
    }

    /** Another version while the cluster is replaced, and the jobs are to come back. */
    @ParameterizedTest
    @ValueSource(longs = {50})
    void leavesNoJobBehindThatIsToComeBack(long seed) {
        assertThat(simulation(SessionFlaws.none()).run(seed)).isEmpty();
    }

    /** A graph that only the former version reads, of a job that is over by then. */
    @Test
    void runsNoFormerJobWhenTheClusterGoesBackToAFormerVersion() {
        Simulation.Ran ran =
                simulation(SessionFlaws.none(), SessionShape::goingBack).within(0, 10_000);

        assertThat(ran.findings()).isEmpty();
    }

    /** By their nonces, by schedules, and with few savepoints that are kept. */
    @Test
    void keepsItsPromisesWhileStateIsSaved() {
        SeedsToRun seeds = new SeedsToRun(9_200);
        Simulation.Ran ran =
                simulation(SessionFlaws.none(), SessionShape::savingState).within(seeds);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(seeds.steps());
    }

    private static void assertThatItIsKept(long seed) {
        assertThat(simulation(SessionFlaws.none(), _ -> SessionShape.PLAIN).run(seed)).isEmpty();
    }

    private static SessionScenario sound(Environment environment, Disturbances disturbances) {
        return new SessionScenario(
                environment, SessionFlaws.none(), disturbances, SessionShape.thrown(environment));
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "JAR_NOT_RECORDED",
                "PATH_NOT_SENT",
                "CANCELS_THE_OTHERS",
                "CANCELS_A_NEIGHBOUR",
                "CLUSTER_FORGETS_ITS_JOBS"
            })
    void catchesSoonAnOperatorThat(SessionFlaws flaw) {
        assertThatItIsCaught(flaw, 60);
    }

    /** Only on demand, as it takes more seeds. */
    @EnabledIfSystemProperty(named = "sim.flaws", matches = "true")
    @ParameterizedTest
    @EnumSource(
            names = {
                "STATUS_AFTER_EFFECT",
                "STOP_NOT_AWAITED",
                "SILENCE_IS_GONE",
                "CANCELS_INSTEAD_OF_STOP",
                "READS_A_NEIGHBOURS_CHECKPOINTS",
                "KNOWN_IS_REFUSED"
            })
    void catchesAnOperatorThat(SessionFlaws flaw) {
        assertThatItIsCaught(flaw, 10L * SEEDS);
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    private static void assertThatItIsCaught(SessionFlaws flaw, long seeds) {
        assertThat(firstOf(simulation(EnumSet.of(flaw)), seeds))
                .map(found -> simulation(SessionFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    /** One seed after the other, as the first few are enough. */
    private static Optional<Finding> firstOf(Simulation simulation, long seeds) {
        return LongStream.range(0, seeds)
                .mapToObj(simulation::run)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Simulation simulation(Set<SessionFlaws> flaws) {
        return simulation(flaws, SessionShape::thrown);
    }

    private static Simulation simulation(
            Set<SessionFlaws> flaws, Function<Environment, SessionShape> shape) {
        return new Simulation(
                300,
                160,
                environment ->
                        new SessionScenario(
                                environment,
                                flaws,
                                new Disturbances(environment, Set.of()),
                                shape.apply(environment)));
    }
}
