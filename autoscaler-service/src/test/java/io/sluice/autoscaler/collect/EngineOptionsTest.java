// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.apache.flink.autoscaler.config.AutoScalerOptions.EXCLUDED_PERIODS;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.METRICS_WINDOW;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.TARGET_UTILIZATION;
import static org.apache.flink.autoscaler.config.AutoScalerOptions.TARGET_UTILIZATION_BOUNDARY;
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
    void translatesLimitsIntoTheNarrowerBoundary() {
        var options =
                EngineOptions.of(
                        options(
                                Map.of(
                                        "job.autoscaler.utilization.target", "0.7",
                                        "job.autoscaler.utilization.max", "0.8",
                                        "job.autoscaler.utilization.min", "0.3")));

        assertThat(options.get(TARGET_UTILIZATION_BOUNDARY)).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void translatesASingleLimitRelativeToTheDefaultTarget() {
        var options = EngineOptions.of(options(Map.of("job.autoscaler.utilization.min", "0.5")));

        assertThat(options.get(TARGET_UTILIZATION_BOUNDARY)).isCloseTo(0.2, within(1e-9));
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

    private static Duration interval(String text) {
        return EngineOptions.interval(
                options(Map.of("kubernetes.operator.reconcile.interval", text)));
    }

    private static FlinkConfiguration options(Map<String, String> entries) {
        return new FlinkConfiguration(entries);
    }
}
