// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rules the CRDs have as CEL ({@code x-kubernetes-validations}). Each message begins with the
 * id of the rule in Java that checks the same, so that nothing here evaluates CEL.
 */
final class CelRules {
    private static final String KEYWORD = "x-kubernetes-validations";

    private CelRules() {}

    /** The rules of the parts of the schema that the resource has; the others are not evaluated. */
    static Set<String> of(JsonNode schema, JsonNode resource) {
        Set<String> rules = new TreeSet<>();
        collect(schema, resource, rules);
        return rules;
    }

    private static void collect(JsonNode schema, JsonNode value, Set<String> rules) {
        schema.path(KEYWORD).forEach(rule -> rules.add(id(rule)));
        if (value.isArray()) {
            value.forEach(item -> collect(schema.path("items"), item, rules));
        }
        for (var field : value.properties()) {
            if (!field.getValue().isNull()) {
                Keywords.below(schema, field.getKey())
                        .ifPresent(below -> collect(below, field.getValue(), rules));
            }
        }
    }

    private static String id(JsonNode rule) {
        String message = rule.path("message").asText("");
        return message.substring(0, Math.max(0, message.indexOf(':')));
    }

    /** Every rule of a schema. */
    static Set<String> all(JsonNode schema) {
        Set<String> rules = new TreeSet<>();
        schema.path(KEYWORD).forEach(rule -> rules.add(id(rule)));
        schema.forEach(below -> rules.addAll(all(below)));
        return rules;
    }
}
