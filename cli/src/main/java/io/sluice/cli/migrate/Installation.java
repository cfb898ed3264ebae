// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import io.sluice.cli.migrate.values.ConfigurationText;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.List;
import java.util.Map;

/**
 * An installation of a {@link Product}, as far as it could be read.
 *
 * @param namespace where it runs
 * @param release the name of its Helm release; empty if nothing says it
 * @param files of its configuration, by their names
 * @param mounts where its containers mount volumes for plugins
 * @param images of its containers
 */
record Installation(
        String namespace,
        String release,
        Map<String, String> files,
        List<String> mounts,
        List<String> images) {
    Installation {
        files = Map.copyOf(files);
        mounts = List.copyOf(mounts);
        images = List.copyOf(images);
    }

    /**
     * Reads the configuration that the operator of this installation has.
     *
     * @throws IllegalArgumentException if it can't be read
     */
    DefaultConfiguration configuration() {
        String older = files.getOrDefault("flink-conf.yaml", "");
        return older.isBlank()
                ? ConfigurationText.read("config.yaml", files.getOrDefault("config.yaml", ""))
                : ConfigurationText.read("flink-conf.yaml", older);
    }
}
