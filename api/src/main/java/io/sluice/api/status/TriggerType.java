// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** What made a savepoint or checkpoint come about. */
public enum TriggerType implements Wire {
    /** The user changed a nonce. */
    MANUAL("MANUAL"),
    PERIODIC("PERIODIC"),
    /** The job was stopped with it. */
    UPGRADE("UPGRADE"),
    UNKNOWN("UNKNOWN");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, TriggerType> WORDS = Wire.words(values());

    private final String wire;

    TriggerType(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
