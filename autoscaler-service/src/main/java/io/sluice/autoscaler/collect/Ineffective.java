// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.InertOptions;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.OperatorOption;
import java.util.List;
import java.util.Map;

/**
 * Options of the Apache operator's autoscaler that change nothing here, and what happens instead
 * (docs/contract/autoscaler.md).
 */
public final class Ineffective {
    private static final List<String> PREFIXES =
            List.of(AutoscalerOptions.PREFIX, OperatorOption.PREFIX + AutoscalerOptions.PREFIX);

    private Ineffective() {}

    /** Those that are set, sorted: the key and what happens instead, never the value. */
    public static List<String> in(FlinkConfiguration options) {
        return options.entries().entrySet().stream()
                .filter(option -> PREFIXES.stream().anyMatch(option.getKey()::startsWith))
                .sorted(Map.Entry.comparingByKey())
                .flatMap(
                        option ->
                                InertOptions.instead(option.getKey(), option.getValue())
                                        .map(text -> option.getKey() + " has no effect. " + text)
                                        .stream())
                .toList();
    }
}
