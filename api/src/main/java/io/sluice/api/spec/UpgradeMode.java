// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** How the state of a job is carried over an upgrade. */
public enum UpgradeMode implements Wire {
    SAVEPOINT("savepoint"),
    LAST_STATE("last-state"),
    STATELESS("stateless");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, UpgradeMode> WORDS = Wire.words(values());

    private final String wire;

    UpgradeMode(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
