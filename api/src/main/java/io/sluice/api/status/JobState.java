// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** The states of a Flink job, as Flink names them. */
public enum JobState implements Wire {
    INITIALIZING("INITIALIZING"),
    CREATED("CREATED"),
    RUNNING("RUNNING"),
    FAILING("FAILING"),
    FAILED("FAILED"),
    CANCELLING("CANCELLING"),
    CANCELED("CANCELED"),
    FINISHED("FINISHED"),
    RESTARTING("RESTARTING"),
    SUSPENDED("SUSPENDED"),
    RECONCILING("RECONCILING");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, JobState> WORDS = Wire.words(values());

    private final String wire;

    JobState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** Whether Flink is done with the job for good. */
    public boolean isTerminal() {
        return switch (this) {
            case FAILED, CANCELED, FINISHED -> true;
            case INITIALIZING,
                    CREATED,
                    RUNNING,
                    FAILING,
                    CANCELLING,
                    RESTARTING,
                    SUSPENDED,
                    RECONCILING ->
                    false;
        };
    }
}
