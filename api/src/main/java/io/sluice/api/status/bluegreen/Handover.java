// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** Whether both halves run during a transition. */
public enum Handover implements Wire {
    /** The former half runs until the other one has proven itself. */
    OVERLAP("overlap"),
    /** The former half is stopped before the other one is started. */
    STOP_FIRST("stop-first");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, Handover> WORDS = Wire.words(values());

    private final String wire;

    Handover(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
