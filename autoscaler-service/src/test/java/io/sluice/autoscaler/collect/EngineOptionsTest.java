// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.apache.flink.autoscaler.config.AutoScalerOptions.AUTOSCALER_ENABLED;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.BACKLOG_PROCESSING_LAG_THRESHOLD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.BUSY_TIME_AGGREGATOR;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.CATCH_UP_DURATION;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.CPU_QUOTA;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.EXCLUDED_PERIODS;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.GC_PRESSURE_THRESHOLD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.HEAP_USAGE_THRESHOLD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.MAX_SCALE_DOWN_FACTOR;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.MAX_SCALE_UP_FACTOR;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.MEMORY_SCALING_ENABLED;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.MEMORY_TUNING_ENABLED;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.MEMORY_TUNING_MAXIMIZE_MANAGED_MEMORY;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.MEMORY_TUNING_OVERHEAD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.METRICS_WINDOW;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.OBSERVED_TRUE_PROCESSING_RATE_MIN_OBSERVATIONS;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.OBSERVED_TRUE_PROCESSING_RATE_SWITCH_THRESHOLD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.OBSERVE_TRUE_PROCESSING_RATE_LAG_THRESHOLD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.PREFER_TRACKED_RESTART_TIME;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.RESTART_TIME;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.SCALE_DOWN_INTERVAL;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.SCALING_EFFECTIVENESS_DETECTION_ENABLED;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.SCALING_EFFECTIVENESS_THRESHOLD;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.SCALING_ENABLED;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.SCALING_EVENT_INTERVAL;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.STABILIZATION_INTERVAL;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.TARGET_UTILIZATION;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.TRACKED_RESTART_TIME_LIMIT;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.VERTEX_EXCLUDE_IDS;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.VERTEX_MAX_PARALLELISM;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.VERTEX_MIN_PARALLELISM;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.VERTEX_SCALING_HISTORY_AGE;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.VERTEX_SCALING_HISTORY_COUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.api.spec.FlinkConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EngineOptionsTest {
    @Test
    void handsOptionsOnAsTheyAre() {
        var options = EngineOptions.of(options(Map.of("job.autoscaler.metrics.window", "20 s")));

        assertThat(options.get(METRICS_WINDOW)).hasSeconds(20);
    }

    static List<Arguments> handedOn() {
        return List.of(
                arguments("job.autoscaler.enabled", AUTOSCALER_ENABLED, "true"),
                arguments("job.autoscaler.scaling.enabled", SCALING_ENABLED, "false"),
                arguments("job.autoscaler.metrics.window", METRICS_WINDOW, "7 s"),
                arguments("job.autoscaler.stabilization.interval", STABILIZATION_INTERVAL, "7 s"),
                arguments("job.autoscaler.excluded.periods", EXCLUDED_PERIODS, "9:30-10:30"),
                arguments("job.autoscaler.vertex.min-parallelism", VERTEX_MIN_PARALLELISM, "7"),
                arguments("job.autoscaler.vertex.max-parallelism", VERTEX_MAX_PARALLELISM, "7"),
                arguments("job.autoscaler.scale-down.max-factor", MAX_SCALE_DOWN_FACTOR, "0.7"),
                arguments("job.autoscaler.scale-up.max-factor", MAX_SCALE_UP_FACTOR, "7.5"),
                arguments("job.autoscaler.catch-up.duration", CATCH_UP_DURATION, "7 s"),
                arguments("job.autoscaler.restart.time", RESTART_TIME, "7 s"),
                arguments(
                        "job.autoscaler.restart.time-tracking.enabled",
                        PREFER_TRACKED_RESTART_TIME,
                        "false"),
                arguments(
                        "job.autoscaler.restart.time-tracking.limit",
                        TRACKED_RESTART_TIME_LIMIT,
                        "7 s"),
                arguments(
                        "job.autoscaler.backlog-processing.lag-threshold",
                        BACKLOG_PROCESSING_LAG_THRESHOLD,
                        "7 s"),
                arguments(
                        "job.autoscaler.observed-true-processing-rate.lag-threshold",
                        OBSERVE_TRUE_PROCESSING_RATE_LAG_THRESHOLD,
                        "7 s"),
                arguments(
                        "job.autoscaler.observed-true-processing-rate.switch-threshold",
                        OBSERVED_TRUE_PROCESSING_RATE_SWITCH_THRESHOLD,
                        "0.7"),
                arguments(
                        "job.autoscaler.observed-true-processing-rate.min-observations",
                        OBSERVED_TRUE_PROCESSING_RATE_MIN_OBSERVATIONS,
                        "7"),
                arguments(
                        "job.autoscaler.scaling.effectiveness.detection.enabled",
                        SCALING_EFFECTIVENESS_DETECTION_ENABLED,
                        "true"),
                arguments(
                        "job.autoscaler.scaling.effectiveness.threshold",
                        SCALING_EFFECTIVENESS_THRESHOLD,
                        "0.7"),
                arguments(
                        "job.autoscaler.memory.gc-pressure.threshold",
                        GC_PRESSURE_THRESHOLD,
                        "0.7"),
                arguments(
                        "job.autoscaler.memory.heap-usage.threshold", HEAP_USAGE_THRESHOLD, "0.7"),
                arguments("job.autoscaler.memory.tuning.enabled", MEMORY_TUNING_ENABLED, "true"),
                arguments("job.autoscaler.memory.tuning.overhead", MEMORY_TUNING_OVERHEAD, "0.7"),
                arguments(
                        "job.autoscaler.memory.tuning.scale-down-compensation.enabled",
                        MEMORY_SCALING_ENABLED,
                        "false"),
                arguments(
                        "job.autoscaler.memory.tuning.maximize-managed-memory",
                        MEMORY_TUNING_MAXIMIZE_MANAGED_MEMORY,
                        "true"),
                arguments("job.autoscaler.history.max.count", VERTEX_SCALING_HISTORY_COUNT, "7"),
                arguments("job.autoscaler.history.max.age", VERTEX_SCALING_HISTORY_AGE, "7 s"),
                arguments(
                        "job.autoscaler.metrics.busy-time.aggregator", BUSY_TIME_AGGREGATOR, "MIN"),
                arguments("job.autoscaler.vertex.exclude.ids", VERTEX_EXCLUDE_IDS, "aa"),
                arguments("job.autoscaler.scaling.event.interval", SCALING_EVENT_INTERVAL, "7 s"));
    }

    @ParameterizedTest
    @MethodSource("handedOn")
    void theEngineReadsUnderItsOwnNameWhatAUserSets(
            String key, ConfigOption<?> option, String value) {
        Configuration said = new Configuration();
        said.setString(option.key(), value);

        Object read = EngineOptions.of(options(Map.of(key, value))).get(option);

        assertThat(read)
                .isEqualTo(said.get(option))
                .isNotEqualTo(EngineOptions.of(FlinkConfiguration.EMPTY).get(option));
    }

    @Test
    void readsTheOldPrefixToo() {
        var options =
                EngineOptions.of(
                        options(
                                Map.of(
                                        "kubernetes.operator.job.autoscaler.metrics.window",
                                        "1min")));

        assertThat(options.get(METRICS_WINDOW)).hasMinutes(1);
    }

    @Test
    void translatesTheTargetTheEngineKnowsByItsOldName() {
        var options = EngineOptions.of(options(Map.of("job.autoscaler.utilization.target", "0.6")));

        assertThat(options.get(TARGET_UTILIZATION)).isEqualTo(0.6);
    }

    @Test
    void honoursEachLimitForItself() {
        var options =
                EngineOptions.of(
                        options(
                                Map.of(
                                        "job.autoscaler.utilization.target", "0.7",
                                        "job.autoscaler.utilization.max", "0.8",
                                        "job.autoscaler.utilization.min", "0.3")));

        assertThat(options.getString(EngineOptions.UTILIZATION_MAX, "")).isEqualTo("0.8");
        assertThat(options.getString(EngineOptions.UTILIZATION_MIN, "")).isEqualTo("0.3");
    }

    @Test
    void addsWhenAJobIsSaturatedAndTakesWhenItIsHalfBusyUnlessToldOtherwise() {
        var options = EngineOptions.of(FlinkConfiguration.EMPTY);

        assertThat(number(options.getString(EngineOptions.UTILIZATION_MAX, "")))
                .isCloseTo(1, within(1e-9));
        assertThat(number(options.getString(EngineOptions.UTILIZATION_MIN, "")))
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void takesTheOlderBoundaryForBothLimits() {
        var options =
                EngineOptions.of(
                        options(Map.of("job.autoscaler.target.utilization.boundary", "0.4")));

        assertThat(number(options.getString(EngineOptions.UTILIZATION_MAX, ""))).isEqualTo(1);
        assertThat(number(options.getString(EngineOptions.UTILIZATION_MIN, "")))
                .isCloseTo(0.3, within(1e-9));
    }

    @Test
    void asksForTheTargetItselfWhereAJobIsToBeFitted() {
        var options =
                EngineOptions.exactly(
                        options(
                                Map.of(
                                        "job.autoscaler.utilization.target", "0.6",
                                        "job.autoscaler.restart.time", "40 s")));

        assertThat(options.getString(EngineOptions.UTILIZATION_MAX, "")).isEqualTo("0.6");
        assertThat(options.getString(EngineOptions.UTILIZATION_MIN, "")).isEqualTo("0.6");
        assertThat(options.get(RESTART_TIME)).isZero();
        assertThat(options.get(PREFER_TRACKED_RESTART_TIME)).isFalse();
    }

    @Test
    void keepsTheBoundsOfTheUserWhereAJobIsToBeFitted() {
        var limits =
                EngineOptions.exactly(options(Map.of("job.autoscaler.utilization.max", "0.8")));
        var boundary =
                EngineOptions.exactly(
                        options(Map.of("job.autoscaler.target.utilization.boundary", "0.1")));

        assertThat(limits.getString(EngineOptions.UTILIZATION_MAX, "")).isEqualTo("0.8");
        assertThat(limits.getString(EngineOptions.UTILIZATION_MIN, "")).isEqualTo("0.7");
        assertThat(number(boundary.getString(EngineOptions.UTILIZATION_MAX, "")))
                .isCloseTo(0.8, within(1e-9));
        assertThat(number(boundary.getString(EngineOptions.UTILIZATION_MIN, "")))
                .isCloseTo(0.6, within(1e-9));
    }

    @Test
    void expectsAShortRestartWhereTheJobScalesInPlace() {
        var options = EngineOptions.of(options(Map.of("jobmanager.scheduler", "adaptive")));

        assertThat(options.get(RESTART_TIME)).hasSeconds(15);
        assertThat(EngineOptions.of(FlinkConfiguration.EMPTY).get(RESTART_TIME)).hasMinutes(5);
    }

    @Test
    void leavesWhatTheGovernorDecidesToTheGovernor() {
        var options =
                EngineOptions.of(
                        options(
                                Map.of(
                                        "job.autoscaler.quota.cpu", "3",
                                        "job.autoscaler.scale-down.interval", "1 h")));

        assertThat(options.get(SCALE_DOWN_INTERVAL)).isZero();
        assertThat(options.getOptional(CPU_QUOTA)).isEmpty();
    }

    @Test
    void readsListsAsUsersWriteThem() {
        var options =
                EngineOptions.of(
                        options(
                                Map.of(
                                        "job.autoscaler.vertex.exclude.ids", "aa;bb",
                                        "job.autoscaler.excluded.periods",
                                                "9:30-10:30;21:00-22:00")));

        assertThat(options.get(VERTEX_EXCLUDE_IDS)).containsExactly("aa", "bb");
        assertThat(options.get(EXCLUDED_PERIODS)).containsExactly("9:30-10:30", "21:00-22:00");
    }

    @Test
    void givesAJobManagerTheTimeThatTheUserSays() {
        assertThat(answer("7 s")).contains(Duration.ofSeconds(7));
        assertThat(answer("0 s")).isEmpty();
        assertThat(answer("soon")).isEmpty();
        assertThat(EngineOptions.answer(new JobOptions(FlinkConfiguration.EMPTY))).isEmpty();
    }

    @Test
    void isOffUnlessEnabled() {
        assertThat(EngineOptions.isEnabled(FlinkConfiguration.EMPTY)).isFalse();
        assertThat(EngineOptions.isEnabled(options(Map.of("job.autoscaler.enabled", "true"))))
                .isTrue();
        assertThat(EngineOptions.isEnabled(options(Map.of("job.autoscaler.enabled", "no"))))
                .isFalse();
    }

    @Test
    void looksAtAJobEveryFifteenSecondsUnlessToldOtherwise() {
        assertThat(EngineOptions.interval(FlinkConfiguration.EMPTY)).hasSeconds(15);
        assertThat(interval("5 s")).hasSeconds(5);
        assertThat(interval("soon")).hasSeconds(15);
        assertThat(interval("0 s")).hasSeconds(15);
    }

    private static Optional<Duration> answer(String text) {
        return EngineOptions.answer(
                new JobOptions(options(Map.of("job.autoscaler.flink.rest-client.timeout", text))));
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private static Duration interval(String text) {
        return EngineOptions.interval(
                options(Map.of("kubernetes.operator.reconcile.interval", text)));
    }

    private static FlinkConfiguration options(Map<String, String> entries) {
        return new FlinkConfiguration(entries);
    }
}
