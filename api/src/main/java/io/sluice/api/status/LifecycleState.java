// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/**
 * The one word that sums up a resource; derived from the rest of the status, never set on its own.
 */
public enum LifecycleState implements Wire {
    CREATED("CREATED"),
    SUSPENDED("SUSPENDED"),
    UPGRADING("UPGRADING"),
    DEPLOYED("DEPLOYED"),
    STABLE("STABLE"),
    ROLLING_BACK("ROLLING_BACK"),
    ROLLED_BACK("ROLLED_BACK"),
    FAILED("FAILED"),
    DELETING("DELETING"),
    DELETED("DELETED");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, LifecycleState> WORDS = Wire.words(values());

    private final String wire;

    LifecycleState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
