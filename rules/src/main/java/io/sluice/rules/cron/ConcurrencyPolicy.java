// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.cron;

import java.util.Arrays;
import java.util.Optional;

/** What becomes of a run that is still under way when the next one is due. */
public enum ConcurrencyPolicy {
    /** It is removed, and the next one begins once it is gone. */
    REPLACE("Replace"),
    /** It goes on, and the next one is left out. */
    FORBID("Forbid"),
    /** Both run. */
    ALLOW("Allow");

    private final String wire;

    ConcurrencyPolicy(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    static Optional<ConcurrencyPolicy> of(String word) {
        return Arrays.stream(values()).filter(policy -> policy.wire.equals(word)).findFirst();
    }
}
