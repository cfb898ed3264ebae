// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** How far the operator has carried the last spec it reconciled. */
public enum ReconciliationState implements Wire {
    DEPLOYED("DEPLOYED"),
    UPGRADING("UPGRADING"),
    ROLLING_BACK("ROLLING_BACK"),
    ROLLED_BACK("ROLLED_BACK");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, ReconciliationState> WORDS = Wire.words(values());

    private final String wire;

    ReconciliationState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
