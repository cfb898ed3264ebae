// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import java.util.Optional;

/**
 * One document of a file.
 *
 * @param file as it was named
 */
record Document(String file, ObjectNode content) {
    String kind() {
        return content.path("kind").asText("");
    }

    String name() {
        return content.path("metadata").path("name").asText("");
    }

    String namespace() {
        return content.path("metadata").path("namespace").asText("");
    }

    /** Empty if it is no resource of ours. */
    Optional<ResourceKind> resourceKind() {
        return content.path("apiVersion").asText("").startsWith("flink.apache.org/")
                ? Optional.ofNullable(ResourceKind.WORDS.get(kind()))
                : Optional.empty();
    }
}
