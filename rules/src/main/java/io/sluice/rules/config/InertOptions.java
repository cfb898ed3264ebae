// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.config.option.Option;
import java.util.Optional;

/** Options of the Apache operator and its autoscaler that are known and have no effect here. */
public final class InertOptions {
    private static final String NO_PLUGINS = "Plugins of the autoscaler are not loaded.";

    private InertOptions() {}

    /** Whether there is a value of {@code key}, in any spelling, that has no effect. */
    public static boolean isKey(String key) {
        String newest = Aliases.newest(key);
        return Option.isOurs(newest)
                && (AutoscalerOptions.isOfPlugins(newest)
                        || DeclaredOptions.of(newest)
                                .filter(option -> !option.isHonoured())
                                .isPresent());
    }

    /**
     * What happens in place of what {@code value} asks for, in one or two sentences; empty if it
     * has an effect, or asks for nothing else.
     *
     * @param key in any spelling
     */
    public static Optional<String> instead(String key, String value) {
        String newest = Aliases.newest(key);
        if (AutoscalerOptions.isOfPlugins(newest)) {
            return Optional.of(NO_PLUGINS);
        }
        return Option.isOurs(newest)
                ? DeclaredOptions.of(newest)
                        .filter(option -> option.isInVain(value))
                        .map(OperatorOption::meaning)
                : Optional.empty();
    }
}
