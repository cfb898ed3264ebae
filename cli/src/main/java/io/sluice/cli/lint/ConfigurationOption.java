// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.lint;

import io.sluice.cli.document.Unreadable;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the operator's configuration. */
public final class ConfigurationOption {
    @Option(
            names = "--config",
            description =
                    "The operator's configuration: a file, or the folder of defaults.yaml and"
                            + " flink-conf.yaml or config.yaml. Not given: what the chart has.")
    private @Nullable Path config;

    /**
     * The configuration that is named, or else the chart's.
     *
     * @throws Unreadable if it is not there, or not a configuration
     */
    public DefaultConfiguration read() {
        return Optional.ofNullable(config).map(ConfigurationOption::load).orElse(Lint.OF_CHART);
    }

    private static DefaultConfiguration load(Path path) {
        if (!Files.exists(path)) {
            throw new Unreadable(
                    "--config: '" + path + "' does not exist; name a file or a folder");
        }
        try {
            return DefaultConfiguration.load(path);
        } catch (IllegalArgumentException | UncheckedIOException wrong) {
            throw new Unreadable("--config: " + wrong.getMessage());
        }
    }
}
