// SPDX-License-Identifier: Apache-2.0
package io.sluice.mutator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.defaults.Defaults;
import java.util.Optional;

/**
 * Renders what {@link Defaults} fills in as the smallest RFC 6902 patch: one addition for each
 * value that is missing, and no patch at all if nothing is, so that an unchanged resource stays
 * unchanged.
 */
public final class Mutator {
    private Mutator() {}

    /** The patch that completes {@code resource}, a whole one; empty if it is complete. */
    public static Optional<ArrayNode> patch(ResourceKind kind, ObjectNode resource) {
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        for (Defaults.Missing missing : Defaults.missing(kind, resource)) {
            operations
                    .addObject()
                    .put("op", "add")
                    .put("path", missing.pointer())
                    .set("value", missing.value());
        }
        return operations.isEmpty() ? Optional.empty() : Optional.of(operations);
    }
}
