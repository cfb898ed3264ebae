// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Wire;
import java.util.SequencedMap;

/** A minor version of Flink, in ascending order. */
public enum FlinkVersion implements Wire {
    V1_13("v1_13"),
    V1_14("v1_14"),
    V1_15("v1_15"),
    V1_16("v1_16"),
    V1_17("v1_17"),
    V1_18("v1_18"),
    V1_19("v1_19"),
    V1_20("v1_20"),
    V2_0("v2_0"),
    V2_1("v2_1"),
    V2_2("v2_2"),
    V2_3("v2_3"),
    V2_4("v2_4");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, FlinkVersion> WORDS = Wire.words(values());

    private final String wire;

    FlinkVersion(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    public boolean isAtLeast(FlinkVersion other) {
        return compareTo(other) >= 0;
    }

    /**
     * Whether this version can still be deployed. A job of an older one, deployed before, can be
     * suspended, deleted, savepointed, and changed in whatever restarts nothing.
     */
    public boolean isSupported() {
        return isAtLeast(V1_15);
    }

    /** The version as Flink itself writes it, for example {@code 1.20}. */
    public String number() {
        return wire.substring(1).replace('_', '.');
    }
}
