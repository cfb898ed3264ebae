// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

/** Where the world is let fail, until {@link #end}. */
public final class Faults {
    private final Dice dice;
    private final Trace trace;
    private boolean over;

    Faults(Dice dice, Trace trace) {
        this.dice = dice;
        this.trace = trace;
    }

    /** From here on nothing fails any more. */
    void end() {
        over = true;
    }

    /** Whether a fault of the given likelihood happens now. */
    public boolean strikes(int percent) {
        return !over && dice.chance(percent);
    }

    /** The process ends here, whatever it was about to do. */
    public SimulatedCrash crash(String effect) {
        trace.add("      ! ends before " + effect);
        return new SimulatedCrash(effect);
    }
}
