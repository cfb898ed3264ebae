// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds out whether a resource that is about to be created comes from a backup: it has a finalizer
 * that only an operator adds, or the label that Velero puts on what it restores. Its status, and
 * with it what the operator knew of its state, is gone.
 */
public final class BackupSign {
    /** The finalizers of both operators, Sluice and Apache's, end so for each kind. */
    private static final String FINALIZER = ".flink.apache.org/finalizer";

    private static final String VELERO = "velero.io/restore-name";

    private BackupSign() {}

    /**
     * The field that says so, and its value; empty for a resource that is stored, or that nothing
     * says it of.
     */
    public static Optional<String> of(ObjectNode resource) {
        JsonNode metadata = resource.path("metadata");
        return metadata.path("resourceVersion").asText("").isEmpty()
                ? finalizer(metadata).or(() -> label(metadata))
                : Optional.empty();
    }

    private static Optional<String> finalizer(JsonNode metadata) {
        return elements(metadata.path("finalizers"))
                .map(each -> each.asText(""))
                .filter(each -> each.endsWith(FINALIZER))
                .findFirst()
                .map("metadata.finalizers has '%s'"::formatted);
    }

    /** What the operator makes for a resource that was restored has its labels, and an owner. */
    private static Optional<String> label(JsonNode metadata) {
        return Optional.of("metadata.labels has '" + VELERO + "'")
                .filter(_ -> metadata.path("labels").has(VELERO))
                .filter(_ -> metadata.path("ownerReferences").isEmpty());
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return list.isArray() ? list.valueStream() : Stream.empty();
    }
}
