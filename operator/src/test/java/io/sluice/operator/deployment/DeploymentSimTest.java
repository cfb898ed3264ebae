// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.sim.Simulation;
import org.junit.jupiter.api.Test;

class DeploymentSimTest {
    private static final int SEEDS = Integer.getInteger("sim.seeds", 300);

    @Test
    void keepsItsPromisesWhateverHappens() {
        assertThat(simulation(Flaws.NONE).firstOf(SEEDS)).isEmpty();
    }

    @Test
    void catchesAnOperatorThatRecordsItsIntentTooLate() {
        assertThat(simulation(Flaws.STATUS_AFTER_EFFECT).firstOf(SEEDS)).isPresent();
    }

    @Test
    void catchesAnOperatorThatTakesUnreachableForGone() {
        assertThat(simulation(Flaws.UNREACHABLE_IS_GONE).firstOf(SEEDS)).isPresent();
    }

    @Test
    void catchesAnOperatorThatDoesNotAwaitADeletion() {
        assertThat(simulation(Flaws.DELETION_NOT_AWAITED).of(SEEDS))
                .anyMatch(finding -> finding.problem().contains("two jobs run"));
    }

    @Test
    void catchesAnOperatorThatTrustsAStaleRead() {
        assertThat(simulation(Flaws.STALE_READS_TRUSTED).firstOf(SEEDS)).isPresent();
    }

    private static Simulation simulation(Flaws flaws) {
        return new Simulation(300, 80, environment -> new DeploymentScenario(environment, flaws));
    }
}
