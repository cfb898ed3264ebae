// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.sluice.autoscaler.collect.EngineClient;
import java.net.URI;
import java.time.Duration;

/** One case lived through twice, on the same trace and with the same dice. */
record Comparison(Case scenario, Run ours, Run bare) {
    private static final URI NOWHERE = URI.create("http://localhost:1");

    static Comparison of(Case scenario) {
        EngineClient client = new EngineClient(Duration.ofSeconds(1));
        try (client) {
            return client.callAt(
                    NOWHERE,
                    unused -> {
                        SimulatedTime time = new SimulatedTime();
                        SimulatedFlink first = new SimulatedFlink(scenario);
                        Run ours =
                                Run.of(
                                        scenario,
                                        first,
                                        time,
                                        Scalers.ours(first, scenario, time, unused));
                        SimulatedTime again = new SimulatedTime();
                        SimulatedFlink second = new SimulatedFlink(scenario);
                        Run bare =
                                Run.of(
                                        scenario,
                                        second,
                                        again,
                                        Scalers.bare(second, again, unused));
                        return new Comparison(scenario, ours, bare);
                    });
        } catch (Exception failed) { // declared by the engine
            throw new IllegalStateException(scenario.name(), failed);
        }
    }

    Score oursScore() {
        return Score.of(scenario, ours);
    }

    Score bareScore() {
        return Score.of(scenario, bare);
    }
}
