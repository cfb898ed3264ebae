// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.apache.flink.autoscaler.config.AutoScalerOptions.CPU_QUOTA;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.EXCLUDED_PERIODS;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.METRICS_WINDOW;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.RESTART_TIME;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.SCALE_DOWN_INTERVAL;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.TARGET_UTILIZATION;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.VERTEX_EXCLUDE_IDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.api.FlinkConfiguration;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineOptionsTest {
    @Test
    void handsOptionsOnAsTheyAre() {
        var options = EngineOptions.of(options(Map.of("job.autoscaler.metrics.window", "20 s")));

        assertThat(options.get(METRICS_WINDOW)).hasSeconds(20);
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
    void takesTheOlderBoundaryForBothLimits() {
        var options =
                EngineOptions.of(
                        options(Map.of("job.autoscaler.target.utilization.boundary", "0.4")));

        assertThat(number(options.getString(EngineOptions.UTILIZATION_MAX, ""))).isEqualTo(1);
        assertThat(number(options.getString(EngineOptions.UTILIZATION_MIN, "")))
                .isCloseTo(0.3, within(1e-9));
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
