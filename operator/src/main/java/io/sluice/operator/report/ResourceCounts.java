// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happened to one resource since this process first reconciled it.
 *
 * @param events by what they were
 */
record ResourceCounts(long passes, long failures, long retries, Map<String, Long> events) {
    static final ResourceCounts NONE = new ResourceCounts(0, 0, 0, Map.of());

    ResourceCounts {
        events = Collections.unmodifiableMap(new LinkedHashMap<>(events));
    }

    ResourceCounts plusPass(boolean again) {
        return new ResourceCounts(passes + 1, failures, retries + (again ? 1 : 0), events);
    }

    ResourceCounts plusFailure() {
        return new ResourceCounts(passes, failures + 1, retries, events);
    }

    ResourceCounts plusEvent(String action) {
        Map<String, Long> more = new TreeMap<>(events);
        more.merge(action, 1L, Long::sum);
        return new ResourceCounts(passes, failures, retries, more);
    }
}
