// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** What came of a transition. */
public enum TransitionOutcome implements Wire {
    /** The half with the new spec is the active one. */
    PROMOTED("Promoted"),
    /** The other half did not do well, and the active one goes on. */
    ABORTED("Aborted"),
    /** The other half was never started. */
    FAILED("Failed"),
    /** The spec was changed again meanwhile. */
    SUPERSEDED("Superseded");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, TransitionOutcome> WORDS = Wire.words(values());

    private final String wire;

    TransitionOutcome(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
