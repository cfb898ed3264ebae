// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import java.util.Map;

/**
 * Kubernetes-style sizes of a component: {@code resources: {requests, limits}}; quantities by
 * resource name.
 */
public record ResourcesSpec(Map<String, String> requests, Map<String, String> limits) {
    public ResourcesSpec {
        requests = Map.copyOf(requests);
        limits = Map.copyOf(limits);
    }

    public boolean isEmpty() {
        return requests.isEmpty() && limits.isEmpty();
    }

    static ResourcesSpec read(Fields fields) {
        return new ResourcesSpec(fields.quantityMap("requests"), fields.quantityMap("limits"));
    }
}
