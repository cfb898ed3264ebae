// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** Who asks Kubernetes for TaskManagers: Flink itself (native) or the operator (standalone). */
public enum DeploymentMode implements Wire {
    NATIVE("native"),
    STANDALONE("standalone");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, DeploymentMode> WORDS = Wire.words(values());

    private final String wire;

    DeploymentMode(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
