// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.gitops;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What kstatus computes from a custom resource, as its documentation describes. Flux goes by it,
 * and so do other tools that apply resources and wait for them.
 */
public enum Kstatus {
    CURRENT,
    IN_PROGRESS,
    FAILED,
    TERMINATING;

    /** The status of a resource as the API server shows it. */
    public static Kstatus of(JsonNode resource) {
        if (resource.at("/metadata").has("deletionTimestamp")) {
            return TERMINATING;
        }
        JsonNode observed = resource.at("/status/observedGeneration");
        if (!observed.isMissingNode()
                && observed.asLong() != resource.at("/metadata/generation").asLong()) {
            return IN_PROGRESS;
        }
        if (status(resource, "Reconciling").equals("True")) {
            return IN_PROGRESS;
        }
        if (status(resource, "Stalled").equals("True")) {
            return FAILED;
        }
        return switch (status(resource, "Ready")) {
            case "False", "Unknown" -> IN_PROGRESS;
            default -> CURRENT;
        };
    }

    private static String status(JsonNode resource, String type) {
        return resource.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("status").asText())
                .findFirst()
                .orElse("");
    }
}
