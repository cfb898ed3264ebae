// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.util.Locale;

/** Why a connection was refused or closed. */
public enum Cut {
    /** The port holds as many as it may, and this one could best be done without. */
    FULL,
    /** Its peer opens connections too fast. */
    RATE,
    /** Its first request did not come in time. */
    REQUEST,
    /** No further request came. */
    IDLE,
    /** Its caller did not read the answer. */
    ANSWER;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
