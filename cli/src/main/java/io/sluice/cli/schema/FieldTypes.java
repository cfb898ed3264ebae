// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.SchemaRule;
import io.sluice.rules.review.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Compares values with a structural schema: types, words, formats, required fields and limits. A
 * null counts as absent, because the API server drops it, except in a list.
 */
final class FieldTypes {
    private final List<Violation> violations = new ArrayList<>();

    private FieldTypes() {}

    /**
     * @param path what the value is called in problems
     */
    static List<Violation> of(JsonNode schema, JsonNode value, String path) {
        var types = new FieldTypes();
        types.look(schema, value, path);
        return types.violations;
    }

    private void look(JsonNode schema, JsonNode value, String path) {
        Optional<String> wrong = wrongType(schema, value);
        if (wrong.isPresent()) {
            report(RuleSet.FIELD_TYPE, path, value, wrong.get());
            return;
        }
        tooMuch(schema, value)
                .ifPresent(message -> report(SchemaRule.FIELD_LIMIT.id(), path, value, message));
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                look(schema.path("items"), value.get(i), path + "[" + i + "]");
            }
        } else if (value.isObject()) {
            fields(schema, value, path);
        }
    }

    private void fields(JsonNode schema, JsonNode value, String path) {
        for (JsonNode required : schema.path("required")) {
            String name = required.asText();
            if (!value.hasNonNull(name)) {
                violations.add(
                        new Violation(
                                SchemaRule.FIELD_REQUIRED.id(),
                                new FieldProblem(path + "." + name, "", "is missing")));
            }
        }
        value.properties().stream()
                .filter(field -> !field.getValue().isNull())
                .forEach(
                        field ->
                                Keywords.below(schema, field.getKey())
                                        .ifPresent(
                                                known ->
                                                        look(
                                                                known,
                                                                field.getValue(),
                                                                path + "." + field.getKey())));
    }

    private static Optional<String> wrongType(JsonNode schema, JsonNode value) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
            return unless(
                    value.isTextual() || value.isIntegralNumber(),
                    "must be a string or a whole number");
        }
        return switch (schema.path("type").asText("")) {
            case "string" ->
                    unless(value.isTextual(), "must be a string")
                            .or(() -> unless(isWord(schema, value), words(schema)));
            case "boolean" -> unless(value.isBoolean(), "must be true or false");
            case "number" -> unless(value.isNumber(), "must be a number");
            case "integer" -> integer(value);
            case "array" -> unless(value.isArray(), "must be a list");
            case "object" -> unless(value.isObject(), "must be an object");
            default -> Optional.empty();
        };
    }

    /** The API server does not enforce {@code format: int32}; the webhook does. */
    private static Optional<String> integer(JsonNode value) {
        return unless(value.isIntegralNumber(), "must be a whole number")
                .or(() -> unless(value.canConvertToLong(), "must be a whole number of 64 bits"));
    }

    private static boolean isWord(JsonNode schema, JsonNode value) {
        JsonNode words = schema.path("enum");
        return words.isMissingNode()
                || StreamSupport.stream(words.spliterator(), false).anyMatch(value::equals);
    }

    private static String words(JsonNode schema) {
        return "is not one of "
                + String.join(
                        ", ",
                        StreamSupport.stream(schema.path("enum").spliterator(), false)
                                .map(JsonNode::asText)
                                .toList());
    }

    private static Optional<String> tooMuch(JsonNode schema, JsonNode value) {
        if (value.isTextual()) {
            String text = value.textValue();
            return limit(schema, "maxLength", text.codePointCount(0, text.length()), "characters");
        }
        return value.isArray()
                ? limit(schema, "maxItems", value.size(), "items")
                : limit(schema, "maxProperties", value.size(), "entries");
    }

    private static Optional<String> limit(JsonNode schema, String keyword, int size, String unit) {
        int most = schema.path(keyword).asInt(Integer.MAX_VALUE);
        return unless(
                size <= most, "has " + size + " " + unit + "; at most " + most + " are allowed");
    }

    private static Optional<String> unless(boolean isFine, String message) {
        return isFine ? Optional.empty() : Optional.of(message);
    }

    private void report(String rule, String path, JsonNode value, String message) {
        violations.add(new Violation(rule, new FieldProblem(path, value.asText(), message)));
    }
}
