// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plugins that Flink's images contain and do not load. */
final class Plugins {
    private Plugins() {}

    /**
     * Puts a plugin where Flink looks for it, in a folder of its own.
     *
     * @param name without the version, as in {@code flink-s3-fs-presto}
     * @param offered the folder of Flink's image that has it
     * @throws IOException if there is not exactly one of that name
     */
    static void install(String name, Path offered, Path plugins) throws IOException {
        List<Path> found = of(name, offered);
        if (found.size() != 1) {
            throw new IOException(
                    String.format(
                            "the image has %d plugins '%s' in %s; there are: %s",
                            found.size(), name, offered, all(offered)));
        }
        Path folder = Files.createDirectories(plugins.resolve(name));
        Path jar = found.get(0);
        Files.copy(
                jar,
                folder.resolve(jar.getFileName().toString()),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static List<Path> of(String name, Path offered) throws IOException {
        try (Stream<Path> jars = Files.list(offered)) {
            return jars.filter(jar -> isVersionOf(name, jar.getFileName().toString()))
                    .collect(Collectors.toList());
        }
    }

    private static boolean isVersionOf(String name, String file) {
        return file.startsWith(name + "-")
                && file.endsWith(".jar")
                && Character.isDigit(file.charAt(name.length() + 1));
    }

    private static String all(Path offered) throws IOException {
        try (Stream<Path> jars = Files.list(offered)) {
            return jars.map(jar -> jar.getFileName().toString())
                    .filter(file -> file.contains("-fs-"))
                    .sorted()
                    .collect(Collectors.joining(", "));
        }
    }
}
