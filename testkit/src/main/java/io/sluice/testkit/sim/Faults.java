// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.sluice.testkit.sim.SimulatedFault.Crash;
import io.sluice.testkit.sim.SimulatedFault.LostCall;
import java.util.function.Supplier;

/**
 * Where the world is let fail. Until {@link #end}, every effect may be hit, before or after it took
 * place.
 */
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

    /**
     * Performs {@code effect}, unless the process dies or the call gets lost; both also after the
     * effect.
     */
    public <T> T effect(String name, Supplier<T> effect) {
        if (strikes(4)) {
            throw fault(name, false);
        }
        T outcome = effect.get();
        trace.add("      " + name);
        if (strikes(4)) {
            throw fault(name, true);
        }
        return outcome;
    }

    /** {@link #effect(String, Supplier)} for what returns nothing. */
    public void effect(String name, Runnable effect) {
        effect(
                name,
                () -> {
                    effect.run();
                    return name;
                });
    }

    /** The process ends here, whatever it was about to do. */
    public Crash crash(String effect) {
        trace.add("      ! ends before " + effect);
        return new Crash(effect);
    }

    private SimulatedFault fault(String name, boolean after) {
        SimulatedFault fault = dice.chance(50) ? new Crash(name) : new LostCall(name);
        trace.add("      ! " + fault.getMessage() + (after ? " (after it)" : " (before it)"));
        return fault;
    }
}
