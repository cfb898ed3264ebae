// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A jar as it lies in an image.
 *
 * @param path where the image has it
 * @param own what it was published as, as far as it or its name says so
 * @param bundled the components whose classes were copied into it, as its NOTICE file lists them
 */
record ShippedJar(
        String path, String sha256, Optional<Coordinates> own, List<Coordinates> bundled) {
    private static final Pattern NAMED = Pattern.compile("(.+?)-(\\d.*)\\.jar");
    private static final List<String> OTHERS = List.of("usr", "opt/java");

    /** The jars in {@code folder}, which the image has at {@code prefix}, by name. */
    static List<ShippedJar> in(Path folder, String prefix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(file -> read(file, prefix + file.getFileName()))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * The jars in the root file system in {@code root}, by path, but for those of the Java runtime
     * and of Debian's packages.
     */
    static List<ShippedJar> below(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .filter(file -> OTHERS.stream().noneMatch(root.relativize(file)::startsWith))
                    .sorted()
                    .map(file -> read(file, "/" + root.relativize(file)))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static ShippedJar read(Path file, String path) {
        try (JarFile jar = new JarFile(file.toFile())) {
            return new ShippedJar(
                    path,
                    Digests.sha256(Files.readAllBytes(file)),
                    own(jar, file.getFileName().toString()),
                    bundled(jar));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    String file() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static Optional<Coordinates> own(JarFile jar, String file) {
        Matcher named = NAMED.matcher(file);
        if (named.matches() && file.startsWith("flink-")) {
            return Optional.of(new Coordinates("org.apache.flink", named.group(1), named.group(2)));
        }
        return jar.stream()
                .filter(entry -> entry.getName().endsWith("/pom.properties"))
                .map(entry -> published(jar, entry))
                .filter(coordinates -> coordinates.file().equals(file))
                .findFirst();
    }

    private static Coordinates published(JarFile jar, JarEntry entry) {
        Properties properties = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
            properties.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + jar.getName(), unreadable);
        }
        return new Coordinates(
                properties.getProperty("groupId", ""),
                properties.getProperty("artifactId", ""),
                properties.getProperty("version", ""));
    }

    private static List<Coordinates> bundled(JarFile jar) throws IOException {
        var notice = jar.getJarEntry("META-INF/NOTICE");
        if (notice == null) {
            return List.of();
        }
        String text = new String(jar.getInputStream(notice).readAllBytes(), StandardCharsets.UTF_8);
        return text.lines()
                .map(Coordinates::ofNotice)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }
}
