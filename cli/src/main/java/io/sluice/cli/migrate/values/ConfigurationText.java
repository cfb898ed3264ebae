// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate.values;

import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of the operator's configuration that stands in a value of the chart. */
public final class ConfigurationText {
    private ConfigurationText() {}

    /**
     * Reads it as the processes read the file, whose name says in which format it is.
     *
     * @throws IllegalArgumentException if it is not of that format
     */
    public static DefaultConfiguration read(String name, String text) {
        try {
            Path folder = Files.createTempDirectory("sluice-migrate");
            Path file = Files.writeString(folder.resolve(name), text);
            try {
                return DefaultConfiguration.load(file);
            } finally {
                Files.delete(file);
                Files.delete(folder);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
