// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
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
 * Two operators, of which the leader may stand still in the middle of a reconciliation and go on
 * when another leads. Between asking whether a resource is still as it was stored and the effect
 * itself nothing stands still here: no request to the API server can depend on another object's
 * version, and ADR 18 says what is left.
 */
class TwoLeadersSimTest {
    private static final long STEPS = Long.getLong("sim.steps", 500_000L) / 5;
    private static final long FIRST_SEED = Long.getLong("sim.first", 0);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 200);

    @Test
    void keepsItsPromisesWhateverHappens() {
        Simulation.Ran ran = deployments(LeadershipFlaws.none()).within(FIRST_SEED, STEPS);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS);
    }

    @Test
    void keepsItsPromisesToSessionJobs() {
        Simulation.Ran ran = sessionJobs(LeadershipFlaws.none()).within(FIRST_SEED, STEPS);

        assertThat(ran.findings()).isEmpty();
        assertThat(ran.steps()).isGreaterThanOrEqualTo(STEPS);
    }

    /** By what comes of the flaw: without it the same seed keeps every promise. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RELEASED_BY_A_CACHE")
    void catchesOperatorsThat(LeadershipFlaws flaw) {
        assertThat(deployments(EnumSet.of(flaw)).firstOf(20L * SEEDS))
                .map(found -> deployments(LeadershipFlaws.none()).run(found.seed()))
                .contains(Optional.empty());
    }

    /** Found in four million steps. */
    @Test
    void catchesOperatorsThatReleaseASessionJobByACache() {
        assertThat(sessionJobs(EnumSet.of(LeadershipFlaws.RELEASED_BY_A_CACHE)).run(3999))
                .hasValueSatisfying(
                        found -> assertThat(found.problem()).startsWith("released while its job"));
        assertThat(sessionJobs(LeadershipFlaws.none()).run(3999)).isEmpty();
    }

    /**
     * A stop of one that had stood still was in the other's way; jobs that had ended ran again
     * while the one that was to remove them stood still.
     */
    @ParameterizedTest
    @ValueSource(longs = {601290, 501061, 2109, 9225, 10233, 12321, 567, 4172, 14764, 14872})
    void goOnFromWhatAnotherLeft(long seed) {
        assertThat(deployments(LeadershipFlaws.none()).run(seed)).isEmpty();
    }

    /**
     * One that had stood still recorded that the job was refused while the other asked for it
     * again; a job failed after a stop that had written a savepoint and failed.
     */
    @ParameterizedTest
    @ValueSource(longs = {6518, 7408, 51766})
    void submitASessionJobOnce(long seed) {
        assertThat(sessionJobs(LeadershipFlaws.none()).run(seed)).isEmpty();
    }

    private static Simulation deployments(Set<LeadershipFlaws> flaws) {
        return new Simulation(
                300,
                120,
                environment ->
                        new DeploymentScenario(
                                environment,
                                Flaws.none(),
                                SimulatedLeadership.ofTwo(environment, flaws)));
    }

    private static Simulation sessionJobs(Set<LeadershipFlaws> flaws) {
        return new Simulation(
                300,
                160,
                environment ->
                        new SessionJobScenario(
                                environment,
                                SessionFlaws.none(),
                                SimulatedLeadership.ofTwo(environment, flaws)));
    }
}
