// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** A word of the wire format; an enum implements it to say how each of its constants is written. */
public interface Wire {
    /** The constant as it stands in JSON. */
    String wire();

    /** All words of {@code constants} in their order, for {@link Fields#choice}. */
    static <E extends Wire> SequencedMap<String, E> words(E[] constants) {
        SequencedMap<String, E> words = new LinkedHashMap<>();
        for (E constant : constants) {
            words.put(constant.wire(), constant);
        }
        return words;
    }
}
