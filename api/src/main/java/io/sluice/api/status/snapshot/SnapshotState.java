// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.snapshot;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** How far a {@link FlinkStateSnapshot} is. */
public enum SnapshotState implements Wire {
    TRIGGER_PENDING("TRIGGER_PENDING"),
    IN_PROGRESS("IN_PROGRESS"),
    COMPLETED("COMPLETED"),
    FAILED("FAILED"),
    ABANDONED("ABANDONED");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, SnapshotState> WORDS = Wire.words(values());

    private final String wire;

    SnapshotState(String wire) {
        this.wire = wire;
    }

    /** Whether a snapshot in this state stays in it until its spec is edited. */
    public boolean isAtRest() {
        return switch (this) {
            case TRIGGER_PENDING, IN_PROGRESS -> false;
            case COMPLETED, FAILED, ABANDONED -> true;
        };
    }

    @Override
    public String wire() {
        return wire;
    }
}
