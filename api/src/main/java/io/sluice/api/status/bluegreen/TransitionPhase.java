// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** How far a transition is. */
public enum TransitionPhase implements Wire {
    /** The first half is being started. */
    FIRST("First"),
    /** The active half gets another spec and stays the active one. */
    IN_PLACE("InPlace"),
    /** What is left of a former transition is being removed. */
    PREPARING("Preparing"),
    /** The active half makes a savepoint, or stops with one. */
    SAVING("Saving"),
    /** The other half is being started. */
    STARTING("Starting"),
    /** The other half runs and is being watched. */
    PROVING("Proving"),
    /** Somebody has to approve of the other half. */
    APPROVAL("Approval"),
    /** The other half is promoted, and the former one stays for a while. */
    RETIRING("Retiring"),
    /** The former half is being deleted; there is no way back. */
    REMOVING("Removing"),
    /** The other half is being stopped. */
    ABORTING("Aborting"),
    /** The active half, which was stopped, is being started again. */
    RESUMING("Resuming"),
    /** The transition has come to its end. */
    ENDED("Ended");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, TransitionPhase> WORDS = Wire.words(values());

    private final String wire;

    TransitionPhase(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
