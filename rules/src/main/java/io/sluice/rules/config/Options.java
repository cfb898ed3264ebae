// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.api.FlinkConfiguration;
import java.time.Duration;
import java.util.Optional;

/**
 * An effective configuration read as types. A value that is not of its type counts as not set: the
 * rule {@code config-value-type} has reported it.
 */
public record Options(FlinkConfiguration configuration) {
    /** The entry, if it is there and not blank. */
    public Optional<String> text(String key) {
        return configuration.get(key).map(String::strip).filter(value -> !value.isEmpty());
    }

    public boolean flag(String key, boolean otherwise) {
        return text(key)
                .filter(OptionType.FLAG::accepts)
                .map(Boolean::parseBoolean)
                .orElse(otherwise);
    }

    public Optional<Duration> duration(String key) {
        return text(key).flatMap(FlinkDuration::parse);
    }

    public Duration duration(String key, Duration otherwise) {
        return duration(key).orElse(otherwise);
    }

    public int number(String key, int otherwise) {
        return text(key)
                .filter(OptionType.WHOLE_NUMBER::accepts)
                .map(Integer::parseInt)
                .orElse(otherwise);
    }

    public Optional<MemorySize> memory(String key) {
        return text(key).flatMap(MemorySize::parse);
    }

    /** Whether Flink keeps its metadata outside the JobManager. */
    public boolean isHighlyAvailable() {
        return text("high-availability.type")
                .filter(type -> !type.equalsIgnoreCase("NONE"))
                .isPresent();
    }
}
