// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.EditDistance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a resource that its schema does not have. */
final class UnknownFields {
    private final List<FieldProblem> unknown = new ArrayList<>();

    private UnknownFields() {}

    static List<FieldProblem> of(JsonNode schema, ObjectNode resource) {
        var fields = new UnknownFields();
        fields.look(schema, resource, "");
        return fields.unknown;
    }

    private void look(JsonNode schema, JsonNode value, String path) {
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                look(schema.path("items"), value.get(i), path + "[" + i + "]");
            }
        } else if (value.isObject()) {
            value.properties().forEach(field -> look(schema, field, path));
        }
    }

    private void look(JsonNode schema, Map.Entry<String, JsonNode> field, String path) {
        String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
        Optional<JsonNode> known = Keywords.below(schema, field.getKey());
        if (known.isPresent()) {
            look(known.get(), field.getValue(), below);
        } else if (!Keywords.keepsUnknownFields(schema)) {
            unknown.add(problem(schema, field.getKey(), below));
        }
    }

    private static FieldProblem problem(JsonNode schema, String name, String path) {
        List<String> known = new ArrayList<>();
        schema.path("properties").fieldNames().forEachRemaining(known::add);
        return new FieldProblem(
                path,
                "",
                "is no field of the CRD, so that the API server refuses or drops it; "
                        + EditDistance.nearest(name, known)
                                .map(nearest -> "did you mean '" + nearest + "'?")
                                .orElse("remove it"));
    }
}
