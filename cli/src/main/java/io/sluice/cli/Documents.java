// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads files, folders and the standard input as YAML, of which JSON is a part. */
final class Documents {
    private static final YAMLMapper YAML = new YAMLMapper();

    private Documents() {}

    /**
     * Every document that is an object, in order; a folder's files by name.
     *
     * @throws Unreadable if one of them is not there, or no YAML
     */
    static List<Document> read(List<String> names, InputStream input) {
        return names.stream()
                .flatMap(
                        name ->
                                name.equals("-")
                                        ? documents("-", text(input))
                                        : files(Path.of(name)).flatMap(Documents::documents))
                .toList();
    }

    private static Stream<Path> files(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        try (var below = Files.walk(path)) {
            return below
                    .filter(file -> file.toString().matches(".*\\.(ya?ml|json)"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException failed) {
            throw new Unreadable(path + ": cannot be read; " + failed);
        }
    }

    private static Stream<Document> documents(Path file) {
        try {
            return documents(file.toString(), Files.readString(file));
        } catch (IOException failed) {
            throw new Unreadable(file + ": cannot be read; name a text file that is there");
        }
    }

    private static Stream<Document> documents(String file, String text) {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(text)) {
            return documents.readAll().stream()
                    .filter(ObjectNode.class::isInstance)
                    .map(content -> new Document(file, (ObjectNode) content));
        } catch (JsonProcessingException notYaml) {
            var where = notYaml.getLocation();
            throw new Unreadable(
                    file
                            + (where == null ? "" : ":" + where.getLineNr())
                            + ": is not YAML; "
                            + notYaml.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException failed) {
            throw new Unreadable(file + ": cannot be read; " + failed);
        }
    }

    private static String text(InputStream input) {
        try {
            return new String(input.readAllBytes(), UTF_8);
        } catch (IOException failed) {
            throw new Unreadable("-: cannot be read; " + failed);
        }
    }
}
