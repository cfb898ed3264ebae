// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was read of a job.
 *
 * @param stored by which a later write says what it follows on
 */
public record Loaded(Map<String, String> data, Stored stored) {
    static final Loaded NOTHING = new Loaded(Map.of(), Stored.NOTHING);

    public Loaded {
        data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }

    static Loaded of(Map<String, String> data, Optional<String> version) {
        return new Loaded(data, Stored.of(data, version));
    }
}
