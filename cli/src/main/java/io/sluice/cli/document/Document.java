// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One object of a file: a document, or an item of a list.
 *
 * @param file as it was named
 * @param positions where its fields stand
 * @param duplicates the paths of keys that are there twice; the last one counts
 */
public record Document(
        String file, ObjectNode content, Positions positions, List<String> duplicates) {
    public Document {
        duplicates = List.copyOf(duplicates);
    }

    /**
     * An object that stands in no file, so that its fields have no places.
     *
     * @param source where it is from
     */
    public static Document of(String source, ObjectNode content) {
        return new Document(source, content, new Positions(Map.of()), List.of());
    }

    public String apiVersion() {
        return content.path("apiVersion").asText("");
    }

    public String kind() {
        return content.path("kind").asText("");
    }

    public String name() {
        return content.path("metadata").path("name").asText("");
    }

    /** Empty if it names none. */
    public String namespace() {
        return content.path("metadata").path("namespace").asText("");
    }

    /** The place of a field, which may be missing. */
    public Position position(String path) {
        return positions.of(path);
    }

    /** The items if this is a list, as {@code kubectl get -o yaml} prints it, else itself. */
    Stream<Document> resources() {
        return kind().endsWith("List") && content.get("items") instanceof ArrayNode items
                ? IntStream.range(0, items.size())
                        .boxed()
                        .flatMap(i -> item(i, items.get(i)).flatMap(Document::resources))
                : Stream.of(this);
    }

    private Stream<Document> item(int index, JsonNode item) {
        String path = "items." + index;
        return item instanceof ObjectNode object
                ? Stream.of(
                        new Document(
                                file,
                                object,
                                positions.below(path),
                                duplicates.stream()
                                        .filter(each -> each.startsWith(path + "."))
                                        .map(each -> each.substring(path.length() + 1))
                                        .toList()))
                : Stream.empty();
    }
}
