// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.FlinkConfiguration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.autoscaler.config.AutoScalerOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/**
 * Our option keys in the words of flink-autoscaler 1.10.0, which lacks some of them:
 *
 * <ul>
 *   <li>{@code utilization.target} is its {@code target.utilization}.
 *   <li>{@code utilization.max} and {@code utilization.min} become its one {@code
 *       target.utilization.boundary}: the smaller distance of the two from the target, so that
 *       neither limit is overstepped.
 *   <li>{@code quota.*}, {@code memory.*} and the rest are its own; {@code observed-scalability.*},
 *       {@code scaling.parallelism-alignment.*} and the custom plugins it does not know: they have
 *       no effect.
 * </ul>
 */
public final class EngineOptions {
    private static final String PREFIX = "job.autoscaler.";
    private static final String OLD_PREFIX = "kubernetes.operator.job.autoscaler.";
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(15);
    private static final ConfigOption<Duration> INTERVAL =
            ConfigOptions.key("kubernetes.operator.reconcile.interval")
                    .durationType()
                    .defaultValue(DEFAULT_INTERVAL)
                    .withDeprecatedKeys("kubernetes.operator.reconciler.reschedule.interval");

    private EngineOptions() {}

    static boolean isEnabled(FlinkConfiguration options) {
        return option(options, "enabled").filter(Boolean::parseBoolean).isPresent();
    }

    /** How often the job is looked at. An unreadable value counts as none: a rule reported it. */
    public static Duration interval(FlinkConfiguration options) {
        try {
            Duration interval = Configuration.fromMap(options.entries()).get(INTERVAL);
            return interval.isPositive() ? interval : DEFAULT_INTERVAL;
        } catch (IllegalArgumentException unreadable) {
            return DEFAULT_INTERVAL;
        }
    }

    public static Configuration of(FlinkConfiguration options) {
        Map<String, String> entries = new HashMap<>(options.entries());
        option(options, "utilization.target")
                .ifPresent(
                        target -> entries.put(AutoScalerOptions.TARGET_UTILIZATION.key(), target));
        boundary(options)
                .ifPresent(
                        boundary ->
                                entries.put(
                                        AutoScalerOptions.TARGET_UTILIZATION_BOUNDARY.key(),
                                        Double.toString(boundary)));
        return Configuration.fromMap(entries);
    }

    private static Optional<Double> boundary(FlinkConfiguration options) {
        double target =
                number(options, "utilization.target")
                        .or(() -> number(options, "target.utilization"))
                        .orElse(AutoScalerOptions.TARGET_UTILIZATION.defaultValue());
        Optional<Double> above = number(options, "utilization.max").map(max -> max - target);
        Optional<Double> below = number(options, "utilization.min").map(min -> target - min);
        return above.isPresent() && below.isPresent()
                ? Optional.of(Math.min(above.get(), below.get()))
                : above.or(() -> below);
    }

    private static Optional<Double> number(FlinkConfiguration options, String key) {
        try {
            return option(options, key).map(Double::valueOf);
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<String> option(FlinkConfiguration options, String key) {
        return options.get(PREFIX + key).or(() -> options.get(OLD_PREFIX + key)).map(String::strip);
    }
}
