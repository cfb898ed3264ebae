// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.io.Serial;

/**
 * A process dies here: nothing catches this but the scenario, which starts a new process.
 *
 * @see Faults#crash
 */
public final class SimulatedCrash extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    SimulatedCrash(String effect) {
        super("crashed at " + effect, null, false, false);
    }
}
