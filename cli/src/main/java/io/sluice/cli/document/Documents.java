// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads files, folders and the standard input as YAML, of which JSON is a part. */
public final class Documents {
    private Documents() {}

    /**
     * Every object, in order; a folder's files by name. The items of lists stand for themselves.
     *
     * @throws Unreadable if a file is not there, or no YAML
     */
    public static List<Document> read(List<String> names, InputStream input) {
        return names.stream()
                .flatMap(name -> texts(name, input))
                .flatMap(text -> YamlReader.documents(text.file(), text.content()).stream())
                .flatMap(Document::resources)
                .toList();
    }

    /**
     * What stands in a single file, or in the standard input, as one object.
     *
     * @throws Unreadable if it is not there, or not one object of YAML
     */
    public static Document single(String name, InputStream input) {
        List<Document> documents =
                texts(name, input)
                        .flatMap(text -> YamlReader.documents(text.file(), text.content()).stream())
                        .toList();
        if (documents.size() != 1) {
            throw new Unreadable(
                    name + ": has " + documents.size() + " YAML objects; name a file with one");
        }
        return documents.getFirst();
    }

    private record Text(String file, String content) {}

    private static Stream<Text> texts(String name, InputStream input) {
        return name.equals("-")
                ? Stream.of(new Text(name, text(input)))
                : files(Path.of(name)).map(Documents::text);
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

    private static Text text(Path file) {
        try {
            return new Text(file.toString(), Files.readString(file));
        } catch (IOException failed) {
            throw new Unreadable(file + ": cannot be read; name a text file that is there");
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
