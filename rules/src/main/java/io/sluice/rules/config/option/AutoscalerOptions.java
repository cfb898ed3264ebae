// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DECIMAL;
import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.FLINK_LIST;
import static io.sluice.rules.config.option.OptionType.MEMORY;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.TEXT;
import static io.sluice.rules.config.option.OptionType.oneOf;

import io.sluice.rules.config.value.MemorySize;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Options of the autoscaler that Sluice itself reads (docs/autoscaler.md). The library
 * flink-autoscaler reads further ones.
 */
public final class AutoscalerOptions {
    /** All keys of the autoscaler's options begin so. */
    public static final String PREFIX = "job.autoscaler.";

    public static final Option<Boolean> ENABLED = option("enabled", FLAG, "false");

    /** Whether an evaluation of the engine may scale anything. */
    public static final Option<Boolean> SCALING_ENABLED = option("scaling.enabled", FLAG, "true");

    public static final Option<Double> UTILIZATION_TARGET =
            option("utilization.target", DECIMAL, "0.7");

    /** The older spelling of {@link #UTILIZATION_TARGET}. */
    public static final Option<Optional<Double>> FORMER_UTILIZATION_TARGET =
            option("target.utilization", DECIMAL);

    public static final Option<Optional<Double>> UTILIZATION_MAX =
            option("utilization.max", DECIMAL);

    public static final Option<Optional<Double>> UTILIZATION_MIN =
            option("utilization.min", DECIMAL);

    public static final Option<Optional<Double>> UTILIZATION_BOUNDARY =
            option("target.utilization.boundary", DECIMAL);

    public static final Option<Duration> METRICS_WINDOW =
            option("metrics.window", DURATION, "15 min");

    public static final Option<Duration> STABILIZATION_INTERVAL =
            option("stabilization.interval", DURATION, "5 min");

    public static final Option<Integer> MIN_PARALLELISM =
            option("vertex.min-parallelism", NUMBER, "1");

    public static final Option<Integer> MAX_PARALLELISM =
            option("vertex.max-parallelism", NUMBER, "200");

    public static final Option<List<String>> EXCLUDED_VERTICES =
            option("vertex.exclude.ids", FLINK_LIST, "");

    public static final Option<Double> SCALE_UP_MAX_FACTOR =
            option("scale-up.max-factor", DECIMAL, "100000");

    public static final Option<Double> SCALE_DOWN_MAX_FACTOR =
            option("scale-down.max-factor", DECIMAL, "0.9");

    public static final Option<Duration> SCALE_DOWN_INTERVAL =
            option("scale-down.interval", DURATION, "0 s");

    /** The older spelling of {@link #SCALE_DOWN_INTERVAL}. */
    public static final Option<Optional<Duration>> FORMER_SCALE_DOWN_INTERVAL =
            option("scale-up.grace-period", DURATION);

    public static final Option<List<String>> EXCLUDED_PERIODS =
            option("excluded.periods", FLINK_LIST, "");

    public static final Option<Optional<Duration>> RESTART_TIME = option("restart.time", DURATION);

    public static final Option<Boolean> RESTART_TIME_TRACKING =
            option("restart.time-tracking.enabled", FLAG, "true");

    public static final Option<Duration> CATCH_UP_DURATION =
            option("catch-up.duration", DURATION, "30 min");

    public static final Option<Duration> EVENT_INTERVAL =
            option("scaling.event.interval", DURATION, "30 min");

    public static final Option<Optional<Duration>> REST_CLIENT_TIMEOUT =
            option("flink.rest-client.timeout", DURATION);

    public static final Option<Boolean> OBSERVED_SCALABILITY =
            option("observed-scalability.enabled", FLAG, "false");

    public static final Option<Integer> OBSERVED_SCALABILITY_MIN_OBSERVATIONS =
            option("observed-scalability.min-observations", NUMBER, "3");

    public static final Option<Double> OBSERVED_SCALABILITY_COEFFICIENT_MIN =
            option("observed-scalability.coefficient-min", DECIMAL, "0.5");

    public static final Option<Boolean> EFFECTIVENESS_DETECTION =
            option("scaling.effectiveness.detection.enabled", FLAG, "false");

    public static final Option<Optional<Double>> EFFECTIVENESS_THRESHOLD =
            option("scaling.effectiveness.threshold", DECIMAL);

    public static final Option<Optional<String>> PARALLELISM_ALIGNMENT =
            option("scaling.parallelism-alignment.mode", TEXT);

    /** What {@link #PARALLELISM_ALIGNMENT} replaced. */
    public static final Option<Optional<String>> KEY_GROUP_ADJUSTMENT =
            option("scaling.key-group.partitions.adjust.mode", TEXT);

    public static final Option<Boolean> MEMORY_TUNING =
            option("memory.tuning.enabled", FLAG, "false");

    public static final Option<Optional<Double>> MEMORY_TUNING_OVERHEAD =
            option("memory.tuning.overhead", DECIMAL);

    public static final Option<Optional<Double>> GC_PRESSURE_THRESHOLD =
            option("memory.gc-pressure.threshold", DECIMAL);

    public static final Option<Optional<Double>> HEAP_USAGE_THRESHOLD =
            option("memory.heap-usage.threshold", DECIMAL);

    public static final Option<String> GOVERNOR_MODE =
            option("governor.mode", oneOf("apply", "recommend", "off"), "apply");

    public static final Option<Integer> RESCALES_PER_DAY =
            option("governor.rescales-per-day", NUMBER, "20");

    public static final Option<Duration> COOL_DOWN =
            option("governor.cool-down", DURATION, "1 min");

    public static final Option<Duration> REVERSAL_PAUSE =
            option("governor.reversal-pause", DURATION, "30 min");

    public static final Option<Double> LEAST_CHANGE =
            option("governor.least-change", DECIMAL, "0.12");

    public static final Option<Duration> UNREST = option("governor.unrest", DURATION, "60 min");

    public static final Option<Duration> CALM = option("governor.calm", DURATION, "4 h");

    public static final Option<Duration> LAG_OBJECTIVE =
            option("governor.lag-objective", DURATION, "2 min");

    public static final Option<Optional<Double>> QUOTA_CPU = option("quota.cpu", DECIMAL);

    public static final Option<Optional<MemorySize>> QUOTA_MEMORY = option("quota.memory", MEMORY);

    public static final Option<Optional<Double>> NAMESPACE_QUOTA_CPU =
            option("governor.namespace-quota.cpu", DECIMAL);

    public static final Option<Optional<MemorySize>> NAMESPACE_QUOTA_MEMORY =
            option("governor.namespace-quota.memory", MEMORY);

    public static final Option<Optional<Double>> PRICE_CORE_HOUR =
            option("governor.price.core-hour", DECIMAL);

    public static final Option<Optional<Double>> PRICE_GIB_HOUR =
            option("governor.price.gib-hour", DECIMAL);

    /** Beginnings of keys of the Apache operator that have no effect. */
    private static final List<String> OF_PLUGINS =
            List.of(
                    PREFIX + "scaling.parallelism-alignment.mode.",
                    PREFIX + "metrics.custom-evaluator",
                    PREFIX + "scaling.custom-executor");

    /** Those of which a resource must have no value of another type. */
    static final List<Option<?>> CHECKED =
            List.of(
                    ENABLED,
                    METRICS_WINDOW,
                    STABILIZATION_INTERVAL,
                    MAX_PARALLELISM,
                    MIN_PARALLELISM,
                    SCALING_ENABLED);

    /** Those that the operator's configuration is checked for; a resource is while it is scaled. */
    private static final List<Option<?>> NUMBERS =
            List.of(
                    GC_PRESSURE_THRESHOLD,
                    HEAP_USAGE_THRESHOLD,
                    MEMORY_TUNING_OVERHEAD,
                    OBSERVED_SCALABILITY_COEFFICIENT_MIN,
                    option("observed-true-processing-rate.switch-threshold", DECIMAL),
                    SCALE_DOWN_MAX_FACTOR,
                    SCALE_UP_MAX_FACTOR,
                    EFFECTIVENESS_THRESHOLD,
                    UTILIZATION_BOUNDARY,
                    UTILIZATION_MAX,
                    UTILIZATION_MIN,
                    UTILIZATION_TARGET);

    private AutoscalerOptions() {}

    /** Whether {@code key}, in its newest spelling, is about plugins, which are not loaded. */
    public static boolean isOfPlugins(String key) {
        return OF_PLUGINS.stream().anyMatch(key::startsWith);
    }

    /** The option with this key if it is one of those that have to be a number. */
    public static Optional<Option<?>> number(String key) {
        return NUMBERS.stream().filter(option -> option.key().equals(key)).findFirst();
    }

    private static <T> Option<T> option(String name, OptionType<T> type, String defaultText) {
        return Option.of(PREFIX + name, type, defaultText);
    }

    private static <T> Option<Optional<T>> option(String name, OptionType<T> type) {
        return Option.of(PREFIX + name, type);
    }
}
