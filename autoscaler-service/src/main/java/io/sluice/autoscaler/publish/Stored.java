// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a job's ConfigMap held when it was last read or written.
 *
 * @param version by which the API server tells that it is still the same; empty if there was none
 */
public record Stored(Map<String, String> data, Optional<String> version) {
    public static final Stored NOTHING = new Stored(Map.of(), Optional.empty());

    public Stored {
        data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }
}
