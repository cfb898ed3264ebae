// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** How the state of a job is carried over an upgrade. */
public enum UpgradeMode implements Wire {
    SAVEPOINT("savepoint", true, false),
    LAST_STATE("last-state", true, true),
    STATELESS("stateless", false, false);

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, UpgradeMode> WORDS = Wire.words(values());

    private final String wire;
    private final boolean keepsState;
    private final boolean needsCheckpoints;

    UpgradeMode(String wire, boolean keepsState, boolean needsCheckpoints) {
        this.wire = wire;
        this.keepsState = keepsState;
        this.needsCheckpoints = needsCheckpoints;
    }

    /** Whether a job keeps its state over an upgrade. */
    public boolean keepsState() {
        return keepsState;
    }

    /**
     * Whether a job has to make checkpoints: the operator sets an interval where nobody else does.
     */
    public boolean needsCheckpoints() {
        return needsCheckpoints;
    }

    /**
     * Whether an upgrade takes a savepoint. Only if that can't be made, and an option allows it,
     * the last checkpoint takes its place.
     */
    public boolean takesSavepoint() {
        return switch (this) {
            case SAVEPOINT -> true;
            case LAST_STATE, STATELESS -> false;
        };
    }

    @Override
    public String wire() {
        return wire;
    }
}
