// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.world.RecordedDecisions;
import io.sluice.testkit.sim.SeedsToRun;
import io.sluice.testkit.sim.Simulation;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All of the operator's code for snapshots on an API server in memory and a simulated Flink. A
 * failing seed is printed with what happened last.
 */
class SnapshotSimTest {
    private static final SeedsToRun SEEDS_TO_RUN = new SeedsToRun(450_000);

    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = simulation(SnapshotFlaws.none()).within(SEEDS_TO_RUN);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(SEEDS_TO_RUN.steps());
    }

    @Test
    void decidesAsRecorded() throws IOException {
        new RecordedDecisions("state-snapshots", simulation(SnapshotFlaws.none())).compare();
    }

    /** A snapshot is being deleted, and its job can't be read. */
    @ParameterizedTest
    @ValueSource(longs = 107236)
    void keepsAsManyAsItMay(long seed) {
        assertThat(simulation(SnapshotFlaws.none()).run(seed)).isEmpty();
    }

    /** Two processes of a JobManager are asked to delete the files of two snapshots. */
    @ParameterizedTest
    @ValueSource(longs = 104190)
    void tellsOfFilesThatStay(long seed) {
        assertThat(simulation(SnapshotFlaws.none()).run(seed)).isEmpty();
    }

    /** A limit is lowered between the record of a try and its request, which was lost. */
    @ParameterizedTest
    @ValueSource(longs = 1000680)
    void asksForATryThatBeganBeforeTheLimitWasLowered(long seed) {
        assertThat(simulation(SnapshotFlaws.none()).run(seed)).isEmpty();
    }

    /** The record of a try arrives late, and a limit is lowered before its snapshot is deleted. */
    @ParameterizedTest
    @ValueSource(longs = 40011449)
    void endsWithATryWhoseRecordCameLate(long seed) {
        assertThat(simulation(SnapshotFlaws.none()).run(seed)).isEmpty();
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    @ParameterizedTest
    @EnumSource(SnapshotFlaws.class)
    void catchesAnOperatorThat(SnapshotFlaws flaw) {
        assertThat(simulation(EnumSet.of(flaw)).firstOf(20L * SEEDS))
                .map(found -> simulation(SnapshotFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    private static Simulation simulation(Set<SnapshotFlaws> flaws) {
        return new Simulation(300, 160, environment -> new SnapshotScenario(environment, flaws));
    }
}
