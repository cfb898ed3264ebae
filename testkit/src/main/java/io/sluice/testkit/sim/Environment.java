// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

/** What every part of a simulated world shares. */
public record Environment(Dice dice, SimulatedClock clock, Faults faults, Trace trace) {
    static Environment of(long seed) {
        Dice dice = new Dice(seed);
        Trace trace = new Trace();
        return new Environment(dice, new SimulatedClock(), new Faults(dice, trace), trace);
    }
}
