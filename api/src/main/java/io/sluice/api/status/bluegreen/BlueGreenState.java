// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import io.sluice.api.json.Wire;
import java.util.Optional;
import java.util.SequencedMap;

/** Which of the two is active, and what is going on between them. */
public enum BlueGreenState implements Wire {
    INITIALIZING_BLUE("INITIALIZING_BLUE"),
    ACTIVE_BLUE("ACTIVE_BLUE"),
    ACTIVE_GREEN("ACTIVE_GREEN"),
    TRANSITIONING_TO_BLUE("TRANSITIONING_TO_BLUE"),
    TRANSITIONING_TO_GREEN("TRANSITIONING_TO_GREEN"),
    SAVEPOINTING_BLUE("SAVEPOINTING_BLUE"),
    SAVEPOINTING_GREEN("SAVEPOINTING_GREEN");

    /** Every constant by its word on the wire. */
    public static final SequencedMap<String, BlueGreenState> WORDS = Wire.words(values());

    private final String wire;

    BlueGreenState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    public static BlueGreenState active(HalfColor half) {
        return half == HalfColor.BLUE ? ACTIVE_BLUE : ACTIVE_GREEN;
    }

    public static BlueGreenState saving(HalfColor half) {
        return half == HalfColor.BLUE ? SAVEPOINTING_BLUE : SAVEPOINTING_GREEN;
    }

    public static BlueGreenState transitioningTo(HalfColor half) {
        return half == HalfColor.BLUE ? TRANSITIONING_TO_BLUE : TRANSITIONING_TO_GREEN;
    }

    /** Whether this state, which the Apache operator has too, is one of a transition. */
    boolean isBetweenHalves() {
        return switch (this) {
            case TRANSITIONING_TO_BLUE,
                    TRANSITIONING_TO_GREEN,
                    SAVEPOINTING_BLUE,
                    SAVEPOINTING_GREEN ->
                    true;
            case INITIALIZING_BLUE, ACTIVE_BLUE, ACTIVE_GREEN -> false;
        };
    }

    /** The half that the word names; empty before there is one. */
    public Optional<HalfColor> half() {
        return switch (this) {
            case INITIALIZING_BLUE -> Optional.empty();
            case ACTIVE_BLUE, TRANSITIONING_TO_BLUE, SAVEPOINTING_BLUE ->
                    Optional.of(HalfColor.BLUE);
            case ACTIVE_GREEN, TRANSITIONING_TO_GREEN, SAVEPOINTING_GREEN ->
                    Optional.of(HalfColor.GREEN);
        };
    }
}
