// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.simulation.DeploymentScenario.Variation;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
import io.sluice.operator.simulation.flaw.SessionFlaws;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import io.sluice.testkit.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares what the operator decides with what it decided when the files in {@code
 * src/test/resources/decisions} were recorded: each status, event and effect of each seed counts. A
 * change that is meant to change no behaviour leaves the files as they are; any other change
 * records them anew with {@code make record-decisions}.
 */
class RecordedDecisionsTest {
    private static final Path FILES = Path.of("src/test/resources/decisions");
    private static final int SEEDS = 2_000;
    private static final int BLOCK = 20;

    /** How many seeds are compared; all of them with {@code make compare-decisions}. */
    private static final int COMPARED = Integer.getInteger("sim.compared", 60);

    private static final boolean RECORD = Boolean.getBoolean("sim.record");

    /** Each simulated world; its name is that of its file. */
    enum World {
        APPLICATION,
        AUTOSCALED,
        HANGING,
        ZOOKEEPER,
        HABITS,
        TWO_LEADERS,
        SESSION_JOB;

        private Path file() {
            return FILES.resolve(name().toLowerCase(Locale.ROOT) + ".txt");
        }

        private Scenario scenario(Environment environment) {
            return switch (this) {
                case APPLICATION -> new DeploymentScenario(environment, Flaws.none());
                case AUTOSCALED ->
                        new DeploymentScenario(environment, Flaws.none(), Variation.AUTOSCALED);
                case HANGING -> new DeploymentScenario(environment, Flaws.none(), Variation.HANGS);
                case ZOOKEEPER ->
                        new DeploymentScenario(environment, Flaws.none(), Variation.ZOOKEEPER);
                case HABITS -> new DeploymentScenario(environment, Flaws.none(), Habit.ofUsers());
                case TWO_LEADERS ->
                        new DeploymentScenario(
                                environment,
                                Flaws.none(),
                                SimulatedLeadership.ofTwo(environment, LeadershipFlaws.none()));
                case SESSION_JOB -> new SessionJobScenario(environment, SessionFlaws.none());
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void decidesAsRecorded(World world) throws IOException {
        if (RECORD) {
            Files.createDirectories(FILES);
            Files.write(world.file(), blocks(world, SEEDS));
        }
        List<String> recorded = Files.readAllLines(world.file()).subList(0, COMPARED / BLOCK);

        assertThat(blocks(world, COMPARED)).isEqualTo(recorded);
    }

    private static List<String> blocks(World world, int seeds) {
        Simulation simulation = new Simulation(300, 120, world::scenario);
        return LongStream.iterate(0, first -> first < seeds, first -> first + BLOCK)
                .mapToObj(first -> first + " " + simulation.digest(first, first + BLOCK))
                .toList();
    }
}
