// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void findsTheWriterThatTrustsItsStaleRead() {
        var finding = new Simulation(200, 5, env -> new Counter(env, false)).firstOf(20);

        assertThat(finding).isPresent();
        assertThat(finding.get().problem()).contains("counted");
        assertThat(finding.get().toString()).contains("seed " + finding.get().seed());
    }

    @Test
    void leavesTheCarefulWriterAlone() {
        assertThat(new Simulation(200, 5, env -> new Counter(env, true)).firstOf(50)).isEmpty();
    }

    @Test
    void runsTheSameSeedTheSameWay() {
        var simulation = new Simulation(200, 5, env -> new Counter(env, false));
        long seed = simulation.firstOf(20).orElseThrow().seed();

        assertThat(simulation.run(seed)).isEqualTo(simulation.run(seed));
    }

    /** Counts to the number of its moves; a careless writer goes by what it has read before. */
    private static final class Counter implements Scenario {
        private final Environment environment;
        private final boolean careful;
        private int wanted;
        private int counted;
        private int before;

        Counter(Environment environment, boolean careful) {
            this.environment = environment;
            this.careful = careful;
        }

        @Override
        public List<Move> moves() {
            return List.of(new Move("want", 1, () -> wanted++), new Move("count", 3, this::count));
        }

        private void count() {
            int seen = !careful && environment.faults().strikes(30) ? before : counted;
            before = counted;
            if (seen < wanted) {
                counted++;
                environment.trace().add("counted to " + counted);
            }
        }

        @Override
        public Optional<String> violation() {
            return counted > wanted
                    ? Optional.of("counted " + counted + " instead of " + wanted)
                    : Optional.empty();
        }

        @Override
        public void round() {
            count();
        }

        @Override
        public Optional<String> unsettled() {
            return Optional.empty();
        }
    }
}
