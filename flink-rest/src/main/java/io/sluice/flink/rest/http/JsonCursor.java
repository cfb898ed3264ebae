// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.AnswerLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Goes through JSON once, from its beginning to its end, and holds no more of it than it was asked
 * for. What nobody asks for is skipped; no tree is built of it.
 */
final class JsonCursor {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int DEEPEST = 3;

    private final JsonParser parser;
    private final AnswerLimits limits;
    private int tokens;

    /** Reads a field's value, or leaves it unread. */
    @FunctionalInterface
    interface FieldReader {
        void read(String name) throws IOException;
    }

    /** Reads one element of an array; what it leaves unread is skipped. */
    @FunctionalInterface
    interface ElementReader<T> {
        Optional<T> read() throws IOException;
    }

    JsonCursor(JsonParser parser, AnswerLimits limits) {
        this.parser = parser;
        this.limits = limits;
    }

    AnswerLimits limits() {
        return limits;
    }

    boolean isObject() {
        return parser.currentToken() == JsonToken.START_OBJECT;
    }

    /** Calls {@code reader} for each field, if this is an object. */
    void fields(FieldReader reader) throws IOException {
        if (!isObject()) {
            return;
        }
        while (inside() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            inside();
            reader.read(name);
            skip();
        }
    }

    /**
     * What {@code reader} makes of each element; empty if this is no array.
     *
     * @throws AnswerTooLarge if there are more than {@code limit} allows
     */
    <T> Optional<List<T>> elements(AnswerLimit limit, ElementReader<T> reader) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return Optional.empty();
        }
        List<T> all = new ArrayList<>();
        int count = 0;
        while (inside() != JsonToken.END_ARRAY) {
            count++;
            mustNotExceed(limit, count);
            reader.read().ifPresent(all::add);
            skip();
        }
        return Optional.of(all);
    }

    /** The elements of the array in {@code field}; empty if this has none. */
    <T> Optional<List<T>> elementsIn(String field, AnswerLimit limit, ElementReader<T> reader)
            throws IOException {
        var found = new Held<List<T>>();
        fields(
                name -> {
                    if (name.equals(field)) {
                        found.value = elements(limit, reader);
                    }
                });
        return found.value;
    }

    /** What a lambda finds. */
    static final class Held<T> {
        Optional<T> value = Optional.empty();
    }

    Optional<String> text() throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING
                ? Optional.of(parser.getText())
                : Optional.empty();
    }

    /**
     * This value with no more than the fields of these names, three levels of objects deep; arrays
     * are left out.
     */
    JsonNode only(Set<String> names) throws IOException {
        return only(names, DEEPEST);
    }

    private JsonNode only(Set<String> names, int deepest) throws IOException {
        if (!isObject()) {
            return scalar();
        }
        ObjectNode object = NODES.objectNode();
        if (deepest > 0) {
            fields(
                    name -> {
                        if (names.contains(name)) {
                            object.set(name, only(names, deepest - 1));
                        }
                    });
        }
        return object;
    }

    private JsonNode scalar() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT ->
                    parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                            ? NODES.missingNode()
                            : NODES.numberNode(parser.getLongValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL, VALUE_EMBEDDED_OBJECT -> NODES.nullNode();
            case START_ARRAY, END_ARRAY, START_OBJECT, END_OBJECT, FIELD_NAME, NOT_AVAILABLE ->
                    NODES.missingNode();
        };
    }

    void mustNotExceed(AnswerLimit limit, int count) throws AnswerTooLarge {
        if (count > limits.of(limit)) {
            throw new AnswerTooLarge(
                    limit, "the answer has more than " + limits.of(limit) + " " + limit.word());
        }
    }

    /** Goes to the end of the array or object that was not read. */
    void skip() throws IOException {
        if (parser.currentToken() == null || !parser.currentToken().isStructStart()) {
            return;
        }
        for (int open = 1; open > 0; ) {
            JsonToken token = inside();
            open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }
    }

    private JsonToken inside() throws IOException {
        if (!next()) {
            throw new JsonEOFException(parser, JsonToken.NOT_AVAILABLE, "the reply was cut");
        }
        return parser.currentToken();
    }

    /** Whether there is a token left. */
    boolean next() throws IOException {
        boolean isThere = parser.nextToken() != null;
        tokens++;
        mustNotExceed(AnswerLimit.TOKENS, tokens);
        return isThere;
    }
}
