// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** What the user wants of the job. */
public enum DesiredJobState implements Wire {
    RUNNING("running"),
    SUSPENDED("suspended");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, DesiredJobState> WORDS = Wire.words(values());

    private final String wire;

    DesiredJobState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
