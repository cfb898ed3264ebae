// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.DeclaredOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.ProcessOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.autoscaler.config.AutoScalerOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/**
 * Our option keys in the words of flink-autoscaler 1.10.0, and what stands in for an option nobody
 * set:
 *
 * <ul>
 *   <li>{@code utilization.target} is its {@code target.utilization}; {@code utilization.max} and
 *       {@code utilization.min}, which it lacks, are honoured by our evaluator.
 *   <li>A restart is expected to take as long as the last ones did; before the first, 15 s in
 *       place.
 *   <li>{@code scale-down.interval} and {@code quota.*} are the governor's.
 *   <li>{@code observed-scalability.*}, {@code scaling.parallelism-alignment.mode} and {@code
 *       flink.rest-client.timeout}, which it lacks too, are the sizing's and the client's.
 * </ul>
 */
public final class EngineOptions {
    public static final String UTILIZATION_MAX = AutoscalerOptions.UTILIZATION_MAX.key();
    public static final String UTILIZATION_MIN = AutoscalerOptions.UTILIZATION_MIN.key();

    private static final double USUALLY_ABOVE = 0.3;
    private static final double USUALLY_BELOW = 0.2;
    private static final Duration HURRIED_WINDOW = Duration.ofMinutes(3);
    private static final Duration HURRIED_CATCH_UP = Duration.ofMinutes(15);
    private static final Duration IN_PLACE = Duration.ofSeconds(15);
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(15);
    public static final String INTERVAL_KEY = ProcessOptions.RECONCILE_INTERVAL.key();
    private static final ConfigOption<Duration> INTERVAL =
            ConfigOptions.key(INTERVAL_KEY)
                    .durationType()
                    .defaultValue(DEFAULT_INTERVAL)
                    .withDeprecatedKeys(formerKeys());
    private static final List<Option<?>> GOVERNED =
            List.of(
                    AutoscalerOptions.QUOTA_CPU,
                    AutoscalerOptions.QUOTA_MEMORY,
                    AutoscalerOptions.SCALE_DOWN_INTERVAL,
                    AutoscalerOptions.FORMER_SCALE_DOWN_INTERVAL);

    private EngineOptions() {}

    private static String[] formerKeys() {
        return DeclaredOptions.of(INTERVAL_KEY).stream()
                .flatMap(option -> option.formerKeys().stream())
                .toArray(String[]::new);
    }

    public static boolean isEnabled(FlinkConfiguration options) {
        return new JobOptions(options).flag(AutoscalerOptions.ENABLED);
    }

    /** How long the JobManager may take for each answer; empty if the user does not say. */
    public static Optional<Duration> answer(JobOptions options) {
        return options.durationIfSet(AutoscalerOptions.REST_CLIENT_TIMEOUT)
                .filter(Duration::isPositive);
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

    /** The utilization to size for, above 0 to 1. */
    public static double target(JobOptions options) {
        return options.numberIfSet(AutoscalerOptions.UTILIZATION_TARGET, 0.01)
                .or(() -> options.numberIfSet(AutoscalerOptions.FORMER_UTILIZATION_TARGET, 0.01))
                .filter(target -> target <= 1)
                .orElseGet(AutoscalerOptions.UTILIZATION_TARGET::otherwise);
    }

    /** The utilization above which more is needed. */
    public static double upper(JobOptions options) {
        double target = target(options);
        return options.numberIfSet(AutoscalerOptions.UTILIZATION_MAX, target)
                .or(() -> boundary(options).map(boundary -> target + boundary))
                .map(upper -> Math.min(1, upper))
                .orElse(Math.min(1, target + USUALLY_ABOVE));
    }

    private static double lower(JobOptions options) {
        double target = target(options);
        return options.numberIfSet(AutoscalerOptions.UTILIZATION_MIN, 0)
                .filter(lower -> lower <= target)
                .or(() -> boundary(options).map(boundary -> target - boundary))
                .map(lower -> Math.max(0, lower))
                .orElse(Math.max(0, target - USUALLY_BELOW));
    }

    private static Optional<Double> boundary(JobOptions options) {
        return options.numberIfSet(AutoscalerOptions.UTILIZATION_BOUNDARY, 0);
    }

    public static Configuration of(FlinkConfiguration options) {
        JobOptions own = new JobOptions(options);
        Map<String, String> entries = new HashMap<>(options.entries());
        entries.keySet()
                .removeIf(key -> GOVERNED.stream().map(Option::key).anyMatch(key::endsWith));
        entries.put(AutoScalerOptions.TARGET_UTILIZATION.key(), Double.toString(target(own)));
        entries.put(UTILIZATION_MAX, Double.toString(upper(own)));
        entries.put(UTILIZATION_MIN, Double.toString(lower(own)));
        entries.put(AutoScalerOptions.SCALE_DOWN_INTERVAL.key(), "0 s");
        if (own.text(AutoscalerOptions.RESTART_TIME_TRACKING).isEmpty()) {
            entries.put(AutoScalerOptions.PREFER_TRACKED_RESTART_TIME.key(), "true");
        }
        if (own.text(AutoscalerOptions.RESTART_TIME).isEmpty() && !isRestarted(options)) {
            entries.put(AutoScalerOptions.RESTART_TIME.key(), IN_PLACE.toSeconds() + " s");
        }
        return Configuration.fromMap(entries);
    }

    /**
     * The same for a job that is to be fitted: each vertex that is not sized for the target is to
     * be proposed, and nothing is added for a restart. Bounds that the user set hold.
     */
    public static Configuration exactly(FlinkConfiguration options) {
        JobOptions own = new JobOptions(options);
        Configuration exact = of(options);
        String target = Double.toString(target(own));
        if (boundary(own).isEmpty() && own.text(AutoscalerOptions.UTILIZATION_MAX).isEmpty()) {
            exact.setString(UTILIZATION_MAX, target);
        }
        if (boundary(own).isEmpty() && own.text(AutoscalerOptions.UTILIZATION_MIN).isEmpty()) {
            exact.setString(UTILIZATION_MIN, target);
        }
        exact.set(AutoScalerOptions.RESTART_TIME, Duration.ZERO);
        exact.set(AutoScalerOptions.PREFER_TRACKED_RESTART_TIME, false);
        return exact;
    }

    /** The same for a job whose records wait for too long: a few minutes of metrics have to do. */
    public static Configuration hurried(FlinkConfiguration options) {
        Configuration hurried = of(options);
        JobOptions own = new JobOptions(options);
        Duration window = own.duration(AutoscalerOptions.METRICS_WINDOW);
        hurried.set(
                AutoScalerOptions.METRICS_WINDOW,
                window.compareTo(HURRIED_WINDOW) < 0 ? window : HURRIED_WINDOW);
        if (own.text(AutoscalerOptions.CATCH_UP_DURATION).isEmpty()) {
            hurried.set(AutoScalerOptions.CATCH_UP_DURATION, HURRIED_CATCH_UP);
        }
        return hurried;
    }

    /** Whether a rescale is an upgrade: other memory always takes one. */
    public static boolean isRestarted(FlinkConfiguration options) {
        return !isInPlace(options) || new JobOptions(options).flag(AutoscalerOptions.MEMORY_TUNING);
    }

    /** Whether the job's parallelism can be changed as it runs. */
    public static boolean isInPlace(FlinkConfiguration options) {
        return new Options(options).isAdaptive();
    }
}
