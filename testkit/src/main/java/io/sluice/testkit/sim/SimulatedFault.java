// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.io.Serial;

/** What a fault looks like to the code it hits. */
public abstract sealed class SimulatedFault extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private SimulatedFault(String message) {
        super(message, null, false, false);
    }

    /** The process died here: nothing catches this but the scenario, which starts a new process. */
    public static final class Crash extends SimulatedFault {
        @Serial private static final long serialVersionUID = 1L;

        Crash(String effect) {
            super("crashed at " + effect);
        }
    }

    /** The call failed, or its reply was lost: nobody knows whether it took effect. */
    public static final class LostCall extends SimulatedFault {
        @Serial private static final long serialVersionUID = 1L;

        LostCall(String effect) {
            super("lost " + effect);
        }
    }
}
