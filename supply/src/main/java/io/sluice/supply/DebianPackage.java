// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Debian package of which an image has files.
 *
 * @param fields what its entry in the package database says
 * @param files the files that the image has of it; empty where the image has the whole package
 * @param licences the licences that its copyright file names
 */
record DebianPackage(Map<String, String> fields, List<String> files, List<String> licences) {
    private static final Path EACH = Path.of("var/lib/dpkg/status.d");
    private static final Path ALL = Path.of("var/lib/dpkg/status");
    private static final Pattern LICENCE = Pattern.compile("^License: *(\\S.*)$");

    /** The packages that the root file system in {@code root} names. */
    static List<DebianPackage> in(Path root) {
        try {
            return Files.isDirectory(root.resolve(EACH))
                    ? ofEach(root)
                    : stanzas(Files.readString(root.resolve(ALL)))
                            .filter(fields -> installed(fields))
                            .map(
                                    fields ->
                                            new DebianPackage(
                                                    fields, List.of(), licences(root, fields)))
                            .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("no Debian packages named in " + root, unreadable);
        }
    }

    String name() {
        return field("Package");
    }

    String version() {
        return field("Version");
    }

    String purl(String distribution) {
        return "pkg:deb/debian/%s@%s?arch=%s&distro=%s"
                .formatted(
                        name(),
                        version().replace("+", "%2B").replace(":", "%3A"),
                        field("Architecture"),
                        distribution);
    }

    private String field(String key) {
        return Optional.ofNullable(fields.get(key))
                .orElseThrow(
                        () ->
                                new SupplyException(
                                        "a Debian package without " + key + ": " + fields));
    }

    private static List<DebianPackage> ofEach(Path root) throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve(EACH))) {
            return entries.filter(entry -> !entry.toString().endsWith(".md5sums"))
                    .sorted()
                    .map(entry -> ofOne(root, entry))
                    .toList();
        }
    }

    private static DebianPackage ofOne(Path root, Path entry) {
        try {
            Map<String, String> fields = stanzas(Files.readString(entry)).findFirst().orElseThrow();
            List<String> files =
                    Files.readString(entry.resolveSibling(entry.getFileName() + ".md5sums"))
                            .lines()
                            .map(line -> "/" + line.substring(line.indexOf("  ") + 2))
                            .toList();
            return new DebianPackage(fields, files, licences(root, fields));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Stream<Map<String, String>> stanzas(String text) {
        return Stream.of(text.split("\n\n+"))
                .filter(stanza -> !stanza.isBlank())
                .map(DebianPackage::fields);
    }

    private static Map<String, String> fields(String stanza) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : stanza.split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith(" ")) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        return fields;
    }

    private static boolean installed(Map<String, String> fields) {
        return "install ok installed".equals(fields.get("Status"));
    }

    private static List<String> licences(Path root, Map<String, String> fields) {
        Path copyright = root.resolve("usr/share/doc/" + fields.get("Package") + "/copyright");
        if (!Files.isRegularFile(copyright)) {
            return List.of();
        }
        try (Stream<String> lines =
                Files.lines(copyright, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            var names = new TreeSet<String>();
            lines.map(LICENCE::matcher)
                    .filter(matcher -> matcher.matches())
                    .forEach(matcher -> names.add(matcher.group(1).strip()));
            return List.copyOf(names);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
