// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A root file system: what it says of itself, and whose its files are.
 *
 * @param release the fields of /etc/os-release
 * @param java the fields of the Java runtime's release file, and where that is; empty without one
 */
record RootFolder(
        Path root,
        Map<String, String> release,
        Map<String, String> java,
        List<DebianPackage> packages) {
    private static final String JAVA = "/opt/java/";
    // Written by local/build/rootfs and by the build of the bill of materials itself.
    private static final Set<String> OWN =
            Set.of("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/os-release");
    private static final List<String> OWN_FOLDERS =
            List.of(
                    "/app/",
                    "/var/lib/dpkg/status.d/",
                    "/var/lib/db/sbom/",
                    "/usr/share/doc/",
                    JAVA);

    static RootFolder read(Path root) {
        return new RootFolder(
                root,
                properties(root.resolve("etc/os-release")),
                javaRelease(root).map(RootFolder::properties).orElse(Map.of()),
                DebianPackage.in(root));
    }

    String distribution() {
        return release.getOrDefault("ID", "linux") + "-" + release.getOrDefault("VERSION_ID", "0");
    }

    /** The files that belong to no package, no Java runtime, and aren't ours. */
    List<String> unowned() {
        Set<String> owned = new HashSet<>(OWN);
        packages.forEach(each -> owned.addAll(each.files()));
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> "/" + root.relativize(file))
                    .filter(file -> !owned.contains(file))
                    .filter(file -> OWN_FOLDERS.stream().noneMatch(file::startsWith))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The files that a package names as its own and that aren't there. */
    List<String> missing() {
        return packages.stream()
                .flatMap(each -> each.files().stream())
                .filter(file -> !Files.isRegularFile(root.resolve(file.substring(1))))
                .toList();
    }

    private static Optional<Path> javaRelease(Path root) {
        Path own = root.resolve("opt/java/release");
        return Optional.of(own).filter(Files::isRegularFile);
    }

    private static Map<String, String> properties(Path file) {
        Map<String, String> fields = new TreeMap<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(
                    line -> {
                        int equals = line.indexOf('=');
                        if (equals > 0) {
                            fields.put(
                                    line.substring(0, equals),
                                    line.substring(equals + 1).replace("\"", ""));
                        }
                    });
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
        return fields;
    }
}
