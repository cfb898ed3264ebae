// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.Locale;
import java.util.SequencedMap;

/** The kinds of {@code flink.apache.org/v1beta1}. */
public enum ResourceKind implements Wire {
    FLINK_DEPLOYMENT("FlinkDeployment"),
    FLINK_SESSION_JOB("FlinkSessionJob"),
    FLINK_STATE_SNAPSHOT("FlinkStateSnapshot"),
    FLINK_BLUE_GREEN_DEPLOYMENT("FlinkBlueGreenDeployment");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, ResourceKind> WORDS = Wire.words(values());

    /** The kinds a snapshot can be taken of, by their words. */
    static final SequencedMap<String, ResourceKind> OF_JOBS =
            Wire.words(new ResourceKind[] {FLINK_DEPLOYMENT, FLINK_SESSION_JOB});

    private final String wire;

    ResourceKind(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** What the API server calls the resources of the kind. */
    public String plural() {
        return wire.toLowerCase(Locale.ROOT) + "s";
    }

    /** The name of the kind's CRD. */
    public String crd() {
        return plural() + "." + ApiVersion.GROUP;
    }
}
