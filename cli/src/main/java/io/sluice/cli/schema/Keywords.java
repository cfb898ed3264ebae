// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What a structural schema says of the fields of an object. */
final class Keywords {
    private Keywords() {}

    /** Whether fields are kept that the schema does not have. */
    static boolean keepsUnknownFields(JsonNode schema) {
        return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
    }

    /** The schema of a field, or of an entry of a map; empty if there is no such field. */
    static Optional<JsonNode> below(JsonNode schema, String field) {
        JsonNode entries = schema.path("additionalProperties");
        return Optional.ofNullable(schema.path("properties").get(field))
                .or(() -> Optional.of(entries).filter(JsonNode::isObject));
    }
}
