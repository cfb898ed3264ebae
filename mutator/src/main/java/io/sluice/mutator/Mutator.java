// SPDX-License-Identifier: Apache-2.0
package io.sluice.mutator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.rules.defaults.Defaults;
import java.util.Optional;

/**
 * Renders what {@link Defaults} fills in as the smallest RFC 6902 patch: it only adds, and is not
 * there at all if nothing is missing, so that an unchanged resource stays unchanged.
 */
public final class Mutator {
    private Mutator() {}

    /**
     * The patch that completes {@code resource}, a whole FlinkDeployment; empty if it is complete.
     */
    public static Optional<ArrayNode> patch(ObjectNode resource) {
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        if (resource.get("spec") instanceof ObjectNode spec) {
            additions("/spec", spec, Defaults.apply(spec), operations);
        }
        return operations.isEmpty() ? Optional.empty() : Optional.of(operations);
    }

    private static void additions(
            String path, ObjectNode before, ObjectNode after, ArrayNode operations) {
        after.properties()
                .forEach(
                        field -> {
                            String below = path + "/" + escape(field.getKey());
                            JsonNode old = before.path(field.getKey());
                            if (old instanceof ObjectNode from
                                    && field.getValue() instanceof ObjectNode to) {
                                additions(below, from, to, operations);
                            } else if (!old.equals(field.getValue())) {
                                operations
                                        .addObject()
                                        .put("op", "add")
                                        .put("path", below)
                                        .set("value", field.getValue());
                            }
                        });
    }

    /** A field's name as a segment of a JSON Pointer. */
    private static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
