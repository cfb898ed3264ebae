// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.option.OperatorOption;
import java.util.Map;
import java.util.stream.Collectors;

/** What the configuration says to plugins. */
public final class PluginOptions {
    /** What the keys of all of them begin with. */
    static final String PREFIX = OperatorOption.PREFIX + "plugins.";

    private PluginOptions() {}

    /** The entries for the plugin in {@code folder}, by their keys without folder and prefix. */
    public static Map<String, String> of(DefaultConfiguration configuration, String folder) {
        String own = PREFIX + folder + ".";
        return configuration.base().entries().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(own))
                .collect(
                        Collectors.toMap(
                                entry -> entry.getKey().substring(own.length()),
                                Map.Entry::getValue));
    }
}
