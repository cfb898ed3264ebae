// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** The format of a savepoint. */
public enum SavepointFormat implements Wire {
    CANONICAL("CANONICAL"),
    NATIVE("NATIVE"),
    UNKNOWN("UNKNOWN");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, SavepointFormat> WORDS = Wire.words(values());

    private final String wire;

    SavepointFormat(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
