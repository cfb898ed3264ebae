// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.OperatorOption;
import java.util.List;

/**
 * Options of the Apache operator's autoscaler that change nothing here, and what to do instead
 * (docs/contract/autoscaler.md).
 */
public final class Ineffective {
    private static final List<String> PREFIXES =
            List.of(AutoscalerOptions.PREFIX, OperatorOption.PREFIX + AutoscalerOptions.PREFIX);

    private record Option(String start, String instead) {}

    private static final String NO_PLUGINS = "plugins are not loaded; remove it";

    private static final List<Option> ALL =
            List.of(
                    new Option("scaling.parallelism-alignment.mode.", NO_PLUGINS),
                    new Option("metrics.custom-evaluator", NO_PLUGINS),
                    new Option("scaling.custom-executor", NO_PLUGINS));

    private Ineffective() {}

    /** Those that are set, sorted: key and remedy, never the value. */
    public static List<String> in(FlinkConfiguration options) {
        return options.entries().keySet().stream()
                .sorted()
                .flatMap(
                        key ->
                                ALL.stream()
                                        .filter(option -> isMeant(key, option))
                                        .map(option -> key + " has no effect: " + option.instead()))
                .toList();
    }

    private static boolean isMeant(String key, Option option) {
        return PREFIXES.stream().anyMatch(prefix -> key.startsWith(prefix + option.start()));
    }
}
