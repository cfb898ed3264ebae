// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The folder from which Flink's factory reads pod templates and log configuration. It is deleted
 * when rendering is over.
 */
record RenderFolder(Path folder) implements AutoCloseable {
    static RenderFolder create() throws IOException {
        return new RenderFolder(Files.createTempDirectory("render"));
    }

    String path() {
        return folder.toString();
    }

    /** Writes a file and returns its path. */
    String write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Override
    public void close() throws IOException {
        List<Path> paths;
        try (var walk = Files.walk(folder)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
