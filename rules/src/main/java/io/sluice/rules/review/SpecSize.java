// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.json.FieldProblem;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How much room a spec takes. The status keeps the spec that was reconciled last and the one that
 * was last stable, each as a text in which quotes and backslashes are escaped, and the API server
 * stores no more than 1.5 MiB of a resource, others' notes in its metadata included. What a larger
 * spec started could not be remembered. The API server also keeps who manages each field, and goes
 * through all of them with every write of the resource, its status included.
 *
 * @param bytes of the spec as a text in the status
 * @param largest the path of its largest field; the spec's own if it has none
 * @param values names and values of the spec
 * @param widest the path of the field that has most of them; the spec's own if it has none
 */
public record SpecSize(long bytes, String largest, long values, String widest) {
    /** Bytes of a spec as a text in the status, at most. */
    static final int MOST_BYTES = 400 * 1024;

    /** Names and values of a spec, or of a resource, at most. */
    public static final int MOST_VALUES = 3000;

    public static final Rule<SpecSize> RULE =
            new Rule<>(
                    "spec-size",
                    "spec",
                    "The status keeps two copies of the spec, and the API server stores no resource"
                            + " of more than 1.5 MiB. Without the copies the operator would not"
                            + " know what it has started. A spec of more than 3,000 names and values"
                            + " is refused too: the API server keeps who manages each field, and"
                            + " every write of a status would take it long. At admission, so is"
                            + " a resource that is nested deeper than 200 levels.",
                    SpecSize::check);

    private static final int KIBIBYTE = 1024;
    private static final int PRINTABLE = ' ';

    /** Around a text, with a backslash before each. */
    private static final int QUOTES = 4;

    /** Of a character that JSON writes as its number, with a second backslash. */
    private static final int CONTROL = 7;

    /** Of a quote or a backslash, escaped once as JSON and once as a text within JSON. */
    private static final int ESCAPED = 4;

    /** The API server writes what HTML would read as a tag by its number. */
    private static final int MARKUP = 6;

    /** Measures {@code spec}, which is called {@code path}, without writing it out. */
    public static SpecSize of(JsonNode spec, String path) {
        return new SpecSize(
                bytes(spec),
                most(spec, path, SpecSize::bytes),
                values(spec),
                most(spec, path, SpecSize::values));
    }

    private static String most(JsonNode spec, String path, ToLongFunction<JsonNode> measure) {
        return spec.propertyStream()
                .max(Comparator.comparingLong(field -> measure.applyAsLong(field.getValue())))
                .map(Map.Entry::getKey)
                .map(name -> path + "." + name)
                .orElse(path);
    }

    /** What is said of a field that has most of the {@code values} of something too large. */
    public static String tooMany(long values) {
        return "has most of %d names and values, of which there may be %d; leave some out, or move"
                        .formatted(values, MOST_VALUES)
                + " lists and files into ConfigMaps, and mount them";
    }

    private static List<FieldProblem> check(SpecSize size) {
        if (size.values() > MOST_VALUES) {
            return List.of(Problems.missing(size.widest(), tooMany(size.values())));
        }
        return Problems.when(
                size.bytes() > MOST_BYTES,
                Problems.missing(
                        size.largest(),
                        "is the largest part of a spec of %d KiB, and at most %d KiB can be kept in"
                                        .formatted(
                                                (size.bytes() + KIBIBYTE - 1) / KIBIBYTE,
                                                MOST_BYTES / KIBIBYTE)
                                + " its status; move long texts and files into ConfigMaps, and"
                                + " mount them"));
    }

    private static long values(JsonNode spec) {
        long values = 0;
        Deque<JsonNode> left = new ArrayDeque<>();
        left.push(spec);
        while (!left.isEmpty()) {
            JsonNode node = left.pop();
            values += node.isObject() ? 1 + node.size() : 1;
            node.forEach(left::push);
        }
        return values;
    }

    private static long bytes(JsonNode spec) {
        long bytes = 0;
        Deque<JsonNode> left = new ArrayDeque<>();
        left.push(spec);
        while (!left.isEmpty()) {
            JsonNode node = left.pop();
            bytes += 1;
            if (node.isContainerNode()) {
                bytes += 2;
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    bytes += 1 + text(field.getKey());
                }
                node.forEach(left::push);
            } else {
                bytes += node.isTextual() ? text(node.textValue()) : node.asText().length();
            }
        }
        return bytes;
    }

    private static long text(String text) {
        long bytes = QUOTES;
        for (int i = 0; i < text.length(); i++) {
            bytes += character(text.charAt(i));
        }
        return bytes;
    }

    private static int character(char character) {
        return switch (character) {
            case '"', '\\' -> ESCAPED;
            case '\n', '\r', '\t', '\b', '\f' -> 3;
            case '<', '>', '&' -> MARKUP;
            default -> {
                if (character < PRINTABLE) {
                    yield CONTROL;
                }
                if (Character.isSurrogate(character)) {
                    yield 2;
                }
                yield character < 0x80 ? 1 : character < 0x800 ? 2 : 3;
            }
        };
    }
}
