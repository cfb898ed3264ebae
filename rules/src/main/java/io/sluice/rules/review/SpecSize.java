// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.json.FieldProblem;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

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
        var whole = new Measure();
        if (!spec.isObject()) {
            whole.add(spec);
            return new SpecSize(whole.bytes, path, whole.values, path);
        }
        whole.addItself(spec);
        long mostBytes = 0;
        long mostValues = 0;
        String largest = path;
        String widest = path;
        for (Map.Entry<String, JsonNode> field : spec.properties()) {
            var each = new Measure();
            each.add(field.getValue());
            if (each.bytes > mostBytes) {
                mostBytes = each.bytes;
                largest = path + "." + field.getKey();
            }
            if (each.values > mostValues) {
                mostValues = each.values;
                widest = path + "." + field.getKey();
            }
            whole.bytes += each.bytes;
            whole.values += each.values;
        }
        return new SpecSize(whole.bytes, largest, whole.values, widest);
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
        return size.bytes() > MOST_BYTES ? List.of(tooLarge(size)) : List.of();
    }

    private static FieldProblem tooLarge(SpecSize size) {
        return Problems.missing(
                size.largest(),
                "is the largest part of a spec of %d KiB, and at most %d KiB can be kept in"
                                .formatted(
                                        (size.bytes() + KIBIBYTE - 1) / KIBIBYTE,
                                        MOST_BYTES / KIBIBYTE)
                        + " its status; move long texts and files into ConfigMaps, and"
                        + " mount them");
    }

    /** How much of a spec a part of it is: bytes as a text in the status, names and values. */
    private static final class Measure {
        private long bytes;
        private long values;

        void add(JsonNode part) {
            if (!part.isContainerNode()) {
                addItself(part);
                return;
            }
            Deque<JsonNode> left = new ArrayDeque<>();
            left.push(part);
            while (!left.isEmpty()) {
                JsonNode container = left.pop();
                addItself(container);
                for (JsonNode each : container) {
                    if (each.isContainerNode()) {
                        left.push(each);
                    } else {
                        addItself(each);
                    }
                }
            }
        }

        /** Without what is in it, of which the names count. */
        void addItself(JsonNode node) {
            if (!node.isContainerNode()) {
                values++;
                bytes += 1 + (node.isTextual() ? text(node.textValue()) : node.asText().length());
                return;
            }
            bytes += 1 + 2;
            values++;
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                bytes += 1 + text(field.getKey());
                values++;
            }
        }
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
