// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** What is known of the JobManager Deployment. */
public enum JobManagerDeploymentState implements Wire {
    READY("READY"),
    DEPLOYED_NOT_READY("DEPLOYED_NOT_READY"),
    DEPLOYING("DEPLOYING"),
    MISSING("MISSING"),
    ERROR("ERROR");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, JobManagerDeploymentState> WORDS =
            Wire.words(values());

    private final String wire;

    JobManagerDeploymentState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
