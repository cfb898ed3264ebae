// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** A module's bill as Maven writes it, its jars, and a root file system, all small. */
final class Samples {
    private Samples() {}

    static JsonNode maven(Coordinates own, Coordinates... dependencies) {
        ObjectNode bill = new ObjectMapper().createObjectNode();
        bill.putObject("metadata").set("component", component(own));
        for (Coordinates each : dependencies) {
            bill.withArray("components").add(component(each));
        }
        bill.withArray("dependencies").addObject().put("ref", own.purl() + "?type=jar");
        return bill;
    }

    static ShippedJar jar(Coordinates coordinates, Coordinates... bundled) {
        return new ShippedJar(
                "/app/lib/" + coordinates.file(),
                "ab".repeat(32),
                Optional.empty(),
                List.of(bundled));
    }

    static void writeJar(Path file, String notice) throws IOException {
        Files.createDirectories(file.getParent());
        try (var out = new JarOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new JarEntry("META-INF/NOTICE"));
            out.write(notice.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }

    static Path root(Path root) throws IOException {
        write(root, "etc/os-release", "ID=debian\nVERSION_ID=\"12\"\n");
        write(
                root,
                "opt/java/release",
                """
                IMPLEMENTOR="Eclipse Adoptium"
                JAVA_VERSION="25.0.3"
                JAVA_RUNTIME_VERSION="25.0.3+9-LTS"
                """);
        write(
                root,
                "var/lib/dpkg/status.d/libc6",
                """
                Package: libc6
                Architecture: amd64
                Version: 2.36-9+deb12u10
                Description: library
                 with more: lines
                """);
        write(root, "var/lib/dpkg/status.d/libc6.md5sums", "0123  lib/libc.so.6\n");
        write(root, "lib/libc.so.6", "the C library");
        write(root, "usr/share/doc/libc6/copyright", "License: LGPL-2.1\n text\n");
        return root;
    }

    private static void write(Path root, String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static ObjectNode component(Coordinates coordinates) {
        ObjectNode component = new ObjectMapper().createObjectNode();
        component.put("type", "library");
        component.put("bom-ref", coordinates.purl() + "?type=jar");
        component.put("group", coordinates.group());
        component.put("name", coordinates.artifact());
        component.put("version", coordinates.version());
        component.withArray("licenses").addObject().putObject("license").put("id", "MIT");
        component.put("purl", coordinates.purl() + "?type=jar");
        return component;
    }
}
