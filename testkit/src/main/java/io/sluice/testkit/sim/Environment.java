// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

/**
 * What every part of a simulated world shares.
 *
 * @param besides what {@link Scenario#besides} throws: what is added there leaves all else of a
 *     seed as it was
 */
public record Environment(
        long seed, Dice dice, Dice besides, SimulatedClock clock, Faults faults, Trace trace) {
    private static final long BESIDES = 0x9E3779B97F4A7C15L;

    static Environment of(long seed) {
        Dice dice = new Dice(seed);
        Trace trace = new Trace();
        return new Environment(
                seed,
                dice,
                new Dice(seed ^ BESIDES),
                new SimulatedClock(),
                new Faults(dice, trace),
                trace);
    }

    /** For a world in which nothing fails, and which goes on when its test says so. */
    public static Environment calm(long seed) {
        Environment environment = of(seed);
        environment.faults().end();
        return environment;
    }

    /** Dice of a part of the world alone: what it throws changes no other throw of a seed. */
    public Dice diceOf(String part) {
        return new Dice(seed ^ (BESIDES * part.hashCode()));
    }
}
