// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver.fields;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396), on trees that are the caller's own. */
public final class JsonPatch {
    private JsonPatch() {}

    /**
     * @throws IllegalArgumentException if an operation can't be carried out; {@code object} may be
     *     changed in part then
     */
    public static void apply(ObjectNode object, JsonNode operations) {
        for (JsonNode operation : operations) {
            JsonPointer path = JsonPointer.compile(operation.path("path").asText());
            switch (operation.path("op").asText()) {
                case "add" -> add(object, path, value(operation));
                case "replace" -> {
                    present(object, path);
                    set(object, path, value(operation));
                }
                case "remove" -> remove(object, path);
                case "test" -> test(object, path, value(operation));
                case "copy" -> add(object, path, present(object, from(operation)).deepCopy());
                case "move" -> {
                    JsonNode moved = present(object, from(operation));
                    remove(object, from(operation));
                    add(object, path, moved);
                }
                default -> throw refused("an operation is unknown: " + operation);
            }
        }
    }

    private static JsonNode value(JsonNode operation) {
        return operation.path("value").deepCopy();
    }

    private static JsonPointer from(JsonNode operation) {
        return JsonPointer.compile(operation.path("from").asText());
    }

    private static JsonNode present(ObjectNode object, JsonPointer path) {
        JsonNode found = object.at(path);
        if (found.isMissingNode()) {
            throw refused("there is nothing at " + path);
        }
        return found;
    }

    private static void test(ObjectNode object, JsonPointer path, JsonNode value) {
        if (!object.at(path).equals(value)) {
            throw refused("the test of " + path + " failed");
        }
    }

    private static void add(ObjectNode object, JsonPointer path, JsonNode value) {
        if (object.at(path.head()) instanceof ArrayNode array) {
            String index = path.last().getMatchingProperty();
            int at = index.equals("-") ? array.size() : path.last().getMatchingIndex();
            if (at < 0 || at > array.size()) {
                throw refused("there is no place " + path);
            }
            array.insert(at, value);
        } else {
            set(object, path, value);
        }
    }

    private static void set(ObjectNode object, JsonPointer path, JsonNode value) {
        switch (object.at(path.head())) {
            case ObjectNode parent -> parent.set(path.last().getMatchingProperty(), value);
            case ArrayNode parent -> parent.set(path.last().getMatchingIndex(), value);
            default -> throw refused("there is nothing at " + path.head());
        }
    }

    private static void remove(ObjectNode object, JsonPointer path) {
        present(object, path);
        switch (object.at(path.head())) {
            case ObjectNode parent -> parent.remove(path.last().getMatchingProperty());
            case ArrayNode parent -> parent.remove(path.last().getMatchingIndex());
            default -> throw refused("there is nothing at " + path.head());
        }
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(why);
    }

    /** A null removes a field, an object changes one, and anything else replaces it. */
    public static void merge(ObjectNode object, JsonNode patch) {
        patch.properties()
                .forEach(
                        each -> {
                            String name = each.getKey();
                            JsonNode value = each.getValue();
                            if (value.isNull()) {
                                object.remove(name);
                            } else if (value.isObject()) {
                                merge(
                                        object.get(name) instanceof ObjectNode had
                                                ? had
                                                : object.putObject(name),
                                        value);
                            } else {
                                object.set(name, value.deepCopy());
                            }
                        });
    }
}
