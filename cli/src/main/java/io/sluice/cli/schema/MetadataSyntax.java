// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.api.json.FieldProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The syntax of names, namespaces, labels and the keys of annotations, as Kubernetes has it. */
final class MetadataSyntax {
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_NAME = 253;
    private static final int MOST_OF_ANNOTATIONS = 256 * 1024;
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private final List<FieldProblem> problems = new ArrayList<>();

    private MetadataSyntax() {}

    /** What is wrong with the {@code metadata} of a resource. */
    static List<FieldProblem> of(JsonNode metadata) {
        var syntax = new MetadataSyntax();
        syntax.names(metadata);
        syntax.labels(metadata.path("labels"));
        syntax.annotations(metadata.path("annotations"));
        return syntax.problems;
    }

    private void names(JsonNode metadata) {
        String name = metadata.path("name").asText("");
        if (name.isEmpty() && metadata.path("generateName").asText("").isEmpty()) {
            add("metadata.name", "", "is missing; name the resource");
        } else if (!name.isEmpty() && !isSubdomain(name)) {
            add(
                    "metadata.name",
                    name,
                    "must be lower-case letters, digits, '-' and '.', at most 253, and begin and"
                            + " end with a letter or a digit");
        }
        String namespace = metadata.path("namespace").asText("");
        if (!namespace.isEmpty() && !isDnsLabel(namespace)) {
            add(
                    "metadata.namespace",
                    namespace,
                    "must be lower-case letters, digits and '-', at most 63, and begin and end"
                            + " with a letter or a digit");
        }
    }

    private void labels(JsonNode labels) {
        for (var label : labels.properties()) {
            String path = "metadata.labels[" + label.getKey() + "]";
            key(path, label.getKey());
            String value = label.getValue().asText("");
            if (label.getValue().isTextual() && !value.isEmpty() && !isWord(value)) {
                add(
                        path,
                        value,
                        "must be letters, digits, '-', '_' and '.', at most 63, and begin and end"
                                + " with a letter or a digit");
            }
        }
    }

    private void annotations(JsonNode annotations) {
        long size = 0;
        for (var annotation : annotations.properties()) {
            String path = "metadata.annotations[" + annotation.getKey() + "]";
            key(path, annotation.getKey().toLowerCase(Locale.ROOT));
            size += annotation.getKey().length() + annotation.getValue().asText("").length();
        }
        if (size > MOST_OF_ANNOTATIONS) {
            add(
                    "metadata.annotations",
                    "",
                    "has " + size + " characters; at most " + MOST_OF_ANNOTATIONS + " are allowed");
        }
    }

    /** A word, or a DNS name, a slash and a word. */
    private void key(String path, String key) {
        int slash = key.indexOf('/');
        boolean isKey =
                isWord(key.substring(slash + 1))
                        && (slash < 0 || isSubdomain(key.substring(0, slash)));
        if (!isKey) {
            add(
                    path,
                    "",
                    "has a key that is not a word of letters, digits, '-', '_' and '.', at most 63,"
                            + " with or without a DNS name and a slash before it");
        }
    }

    private static boolean isWord(String text) {
        return text.length() <= LONGEST_LABEL && WORD.matcher(text).matches();
    }

    private static boolean isDnsLabel(String text) {
        return text.length() <= LONGEST_LABEL && DNS_LABEL.matcher(text).matches();
    }

    private static boolean isSubdomain(String text) {
        return text.length() <= LONGEST_NAME
                && Stream.of(text.split("\\.", -1))
                        .allMatch(part -> DNS_LABEL.matcher(part).matches());
    }

    private void add(String path, String value, String message) {
        problems.add(new FieldProblem(path, value, message));
    }
}
