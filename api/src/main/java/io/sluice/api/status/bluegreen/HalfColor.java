// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.sluice.api.json.Wire;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;

/** Which of the two FlinkDeployments of a pair. */
public enum HalfColor implements Wire {
    BLUE("BLUE"),
    GREEN("GREEN");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, HalfColor> WORDS = Wire.words(values());

    private final String wire;

    HalfColor(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    public HalfColor other() {
        return this == BLUE ? GREEN : BLUE;
    }

    /** As it stands in names: {@code blue} or {@code green}. */
    public String word() {
        return wire.toLowerCase(Locale.ROOT);
    }

    /** The name of the pair, if a FlinkDeployment of this name may be its half of this color. */
    public Optional<String> pairOf(String half) {
        String end = nameIn("");
        return half.endsWith(end) && half.length() > end.length()
                ? Optional.of(half.substring(0, half.length() - end.length()))
                : Optional.empty();
    }

    /** The name of the FlinkDeployment of this color. */
    public String nameIn(String pair) {
        return pair + "-" + word();
    }
}
