// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.FlinkConfiguration;
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
    private static final String PREFIX = "job.autoscaler.";
    public static final String UTILIZATION_MAX = PREFIX + "utilization.max";
    public static final String UTILIZATION_MIN = PREFIX + "utilization.min";

    private static final double USUAL_TARGET = 0.7;
    private static final double USUALLY_ABOVE = 0.3;
    private static final double USUALLY_BELOW = 0.2;
    private static final Duration IN_PLACE = Duration.ofSeconds(15);
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(15);
    public static final String INTERVAL_KEY = "kubernetes.operator.reconcile.interval";
    private static final ConfigOption<Duration> INTERVAL =
            ConfigOptions.key(INTERVAL_KEY)
                    .durationType()
                    .defaultValue(DEFAULT_INTERVAL)
                    .withDeprecatedKeys("kubernetes.operator.reconciler.reschedule.interval");
    private static final List<String> GOVERNED =
            List.of("quota.cpu", "quota.memory", "scale-down.interval", "scale-up.grace-period");

    private EngineOptions() {}

    public static boolean isEnabled(FlinkConfiguration options) {
        return new JobOptions(options).flag("enabled", false);
    }

    /** How long the JobManager may take for each answer; empty if the user does not say. */
    public static Optional<Duration> answer(JobOptions options) {
        return options.duration("flink.rest-client.timeout").filter(Duration::isPositive);
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
        return options.number("utilization.target", 0.01)
                .or(() -> options.number("target.utilization", 0.01))
                .filter(target -> target <= 1)
                .orElse(USUAL_TARGET);
    }

    /** The utilization above which more is needed. */
    public static double upper(JobOptions options) {
        double target = target(options);
        return options.number("utilization.max", target)
                .or(() -> boundary(options).map(boundary -> target + boundary))
                .map(upper -> Math.min(1, upper))
                .orElse(Math.min(1, target + USUALLY_ABOVE));
    }

    private static double lower(JobOptions options) {
        double target = target(options);
        return options.number("utilization.min", 0)
                .filter(lower -> lower <= target)
                .or(() -> boundary(options).map(boundary -> target - boundary))
                .map(lower -> Math.max(0, lower))
                .orElse(Math.max(0, target - USUALLY_BELOW));
    }

    private static Optional<Double> boundary(JobOptions options) {
        return options.number("target.utilization.boundary", 0);
    }

    public static Configuration of(FlinkConfiguration options) {
        JobOptions own = new JobOptions(options);
        Map<String, String> entries = new HashMap<>(options.entries());
        entries.keySet()
                .removeIf(
                        key ->
                                GOVERNED.stream()
                                        .anyMatch(
                                                governed ->
                                                        key.endsWith("autoscaler." + governed)));
        entries.put(AutoScalerOptions.TARGET_UTILIZATION.key(), Double.toString(target(own)));
        entries.put(UTILIZATION_MAX, Double.toString(upper(own)));
        entries.put(UTILIZATION_MIN, Double.toString(lower(own)));
        entries.put(AutoScalerOptions.SCALE_DOWN_INTERVAL.key(), "0 s");
        if (own.text("restart.time-tracking.enabled").isEmpty()) {
            entries.put(AutoScalerOptions.PREFER_TRACKED_RESTART_TIME.key(), "true");
        }
        if (own.text("restart.time").isEmpty() && !isRestarted(options)) {
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
        if (boundary(own).isEmpty() && own.text("utilization.max").isEmpty()) {
            exact.setString(UTILIZATION_MAX, target);
        }
        if (boundary(own).isEmpty() && own.text("utilization.min").isEmpty()) {
            exact.setString(UTILIZATION_MIN, target);
        }
        exact.set(AutoScalerOptions.RESTART_TIME, Duration.ZERO);
        exact.set(AutoScalerOptions.PREFER_TRACKED_RESTART_TIME, false);
        return exact;
    }

    /** Whether a rescale is an upgrade: other memory always takes one. */
    public static boolean isRestarted(FlinkConfiguration options) {
        return !isInPlace(options)
                || new JobOptions(options)
                        .text("memory.tuning.enabled")
                        .filter(word -> word.strip().equalsIgnoreCase("true"))
                        .isPresent();
    }

    /** Whether the job's parallelism can be changed as it runs. */
    public static boolean isInPlace(FlinkConfiguration options) {
        return options.get("jobmanager.scheduler")
                .filter(scheduler -> scheduler.strip().equalsIgnoreCase("adaptive"))
                .isPresent();
    }
}
