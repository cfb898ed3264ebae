// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.sluice.autoscaler.collect.EngineClient;
import java.net.URI;
import java.time.Duration;

/**
 * One case lived through three times, on the same trace and with the same dice.
 *
 * @param bare by the engine alone, with its defaults
 * @param tuned by the engine alone, as somebody who knows it would set it
 */
record Comparison(Case scenario, Run ours, Run bare, Run tuned) {
    private static final URI NOWHERE = URI.create("http://localhost:1");

    private interface Player {
        Scaler of(SimulatedFlink flink, SimulatedTime time);
    }

    static Comparison of(Case scenario) {
        EngineClient client = new EngineClient(Duration.ofSeconds(1));
        try (client) {
            return client.callAt(
                    NOWHERE,
                    unused -> {
                        Run bare =
                                live(scenario, (flink, time) -> Scalers.bare(flink, time, unused));
                        return new Comparison(
                                scenario,
                                live(
                                        scenario,
                                        (flink, time) ->
                                                Scalers.ours(flink, scenario, time, unused)),
                                bare,
                                scenario.group() == Case.Group.HARSH
                                        ? live(
                                                scenario,
                                                (flink, time) -> Scalers.tuned(flink, time, unused))
                                        : bare);
                    });
        } catch (Exception failed) { // declared by the engine
            throw new IllegalStateException(scenario.name(), failed);
        }
    }

    private static Run live(Case scenario, Player player) throws Exception {
        SimulatedTime time = new SimulatedTime();
        SimulatedFlink flink = new SimulatedFlink(scenario);
        return Run.of(scenario, flink, time, player.of(flink, time));
    }

    Score tunedScore() {
        return Score.of(scenario, tuned);
    }

    Score oursScore() {
        return Score.of(scenario, ours);
    }

    Score bareScore() {
        return Score.of(scenario, bare);
    }
}
