// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** Where the job of a half that is made begins. */
public enum StartState implements Wire {
    /** From the savepoint of the active half. */
    SAVEPOINT("Savepoint"),
    /** From {@code initialSavepointPath} of the template, if it has one. */
    TEMPLATE("Template"),
    /** Without state. */
    EMPTY("Empty");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, StartState> WORDS = Wire.words(values());

    private final String wire;

    StartState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
