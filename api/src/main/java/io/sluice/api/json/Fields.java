// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A cursor over one JSON object: reads typed fields and collects what is not of the type the CRD's
 * schema asks for. It never throws and never coerces: {@code "1"} is no number here, as it is none
 * for the API server.
 */
public final class Fields {
    private static final String QUANTITY =
            "must be a whole number, or a quantity in quotes such as '0.5', 500m or 2Gi";

    /** Of one spec. Each takes many times the memory of what is wrong, and nobody reads more. */
    public static final int MOST_PROBLEMS = 100;

    private final JsonNode node;
    private final String path;
    private final List<FieldProblem> problems;

    private Fields(JsonNode node, String path, List<FieldProblem> problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    /**
     * Reads {@code node}, calls it {@code path} in every problem, and returns what was read with
     * its problems, the first {@value #MOST_PROBLEMS} if there are more.
     */
    public static <T> Parsed<T> read(JsonNode node, String path, Function<Fields, T> reader) {
        List<FieldProblem> problems = new ArrayList<>();
        if (!node.isObject() && !isAbsent(node)) {
            problems.add(new FieldProblem(path, node.toString(), "must be an object"));
        }
        T value = reader.apply(new Fields(node, path, problems));
        return new Parsed<>(value, problems);
    }

    public Optional<String> string(String name) {
        return scalar(name, JsonNode::isTextual, JsonNode::textValue, "must be a string");
    }

    public Optional<Boolean> bool(String name) {
        return scalar(name, JsonNode::isBoolean, JsonNode::booleanValue, "must be true or false");
    }

    /** A 64-bit whole number. */
    public Optional<Long> int64(String name) {
        return scalar(
                name,
                value -> value.isIntegralNumber() && value.canConvertToLong(),
                JsonNode::longValue,
                "must be a whole number");
    }

    /** A 32-bit whole number. */
    public Optional<Integer> int32(String name) {
        return scalar(
                name,
                value -> value.isIntegralNumber() && value.canConvertToInt(),
                JsonNode::intValue,
                "must be a whole number between -2147483648 and 2147483647");
    }

    public Optional<Double> number(String name) {
        return scalar(name, JsonNode::isNumber, JsonNode::doubleValue, "must be a number");
    }

    /**
     * A quantity as Kubernetes writes it: a string ({@code "2Gi"}) or a number. Never parsed here.
     */
    public Optional<String> quantity(String name) {
        return scalar(name, Fields::isQuantity, JsonNode::asText, QUANTITY);
    }

    /** One of a closed set of words, as {@code words} maps them. */
    public <E> Optional<E> choice(String name, SequencedMap<String, E> words) {
        Optional<String> word = string(name);
        if (word.isPresent() && !words.containsKey(word.get())) {
            problem(name, word.get(), "is not one of " + String.join(", ", words.keySet()));
            return Optional.empty();
        }
        return word.flatMap(text -> Optional.ofNullable(words.get(text)));
    }

    public List<String> strings(String name) {
        return elements(
                name, JsonNode::isTextual, (_, element) -> element.textValue(), "must be a string");
    }

    /** The objects of an array, each with the array's index in its path. */
    public List<Fields> objects(String name) {
        return elements(
                name,
                JsonNode::isObject,
                (path, element) -> new Fields(element, path, problems),
                "must be an object");
    }

    public Map<String, String> stringMap(String name) {
        return map(name, JsonNode::isTextual, JsonNode::textValue, "must be a string");
    }

    /** A map of quantities, such as {@code resources.limits}. */
    public Map<String, String> quantityMap(String name) {
        return map(name, Fields::isQuantity, JsonNode::asText, QUANTITY);
    }

    /** A nested object, read by {@code reader}. */
    public <T> Optional<T> object(String name, Function<Fields, T> reader) {
        return raw(name).map(value -> reader.apply(new Fields(value, pathOf(name), problems)));
    }

    /** A nested object as it stands, for parts whose schema is not ours. */
    public Optional<ObjectNode> raw(String name) {
        JsonNode value = node.path(name);
        if (isAbsent(value)) {
            return Optional.empty();
        }
        if (value instanceof ObjectNode object) {
            return Optional.of(object);
        }
        problem(name, value.toString(), "must be an object");
        return Optional.empty();
    }

    private <T> Optional<T> scalar(
            String name,
            Function<JsonNode, Boolean> isWellTyped,
            Function<JsonNode, T> read,
            String complaint) {
        JsonNode value = node.path(name);
        if (isAbsent(value)) {
            return Optional.empty();
        }
        if (isWellTyped.apply(value)) {
            return Optional.of(read.apply(value));
        }
        problem(name, value.isTextual() ? value.textValue() : value.toString(), complaint);
        return Optional.empty();
    }

    /** The elements of an array; {@code read} is told the path of each. */
    private <T> List<T> elements(
            String name,
            Function<JsonNode, Boolean> isWellTyped,
            BiFunction<String, JsonNode, T> read,
            String complaint) {
        JsonNode value = node.path(name);
        if (isAbsent(value)) {
            return List.of();
        }
        if (!value.isArray()) {
            problem(name, value.toString(), "must be a list");
            return List.of();
        }
        List<T> elements = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            JsonNode element = value.get(i);
            String indexed = name + "[" + i + "]";
            if (isWellTyped.apply(element)) {
                elements.add(read.apply(pathOf(indexed), element));
            } else {
                problem(indexed, element.toString(), complaint);
            }
        }
        return List.copyOf(elements);
    }

    private <T> Map<String, T> map(
            String name,
            Function<JsonNode, Boolean> isWellTyped,
            Function<JsonNode, T> read,
            String complaint) {
        Map<String, T> entries = new TreeMap<>();
        raw(name)
                .ifPresent(
                        object ->
                                object.properties()
                                        .forEach(
                                                entry -> {
                                                    if (isWellTyped.apply(entry.getValue())) {
                                                        entries.put(
                                                                entry.getKey(),
                                                                read.apply(entry.getValue()));
                                                    } else {
                                                        problem(
                                                                name + "." + entry.getKey(),
                                                                entry.getValue().toString(),
                                                                complaint);
                                                    }
                                                }));
        return Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    private void problem(String name, String value, String message) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(new FieldProblem(pathOf(name), value, message));
        }
    }

    private String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static boolean isQuantity(JsonNode value) {
        return value.isTextual() || value.isIntegralNumber();
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
