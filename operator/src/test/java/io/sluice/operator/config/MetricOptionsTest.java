// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricOptionsTest {
    private static final String PREFIX = "kubernetes.operator.";

    @Test
    void showsEverythingUnlessItIsToldOtherwise() {
        assertThat(MetricOptions.of(configured(Map.of())))
                .isEqualTo(
                        new MetricOptions(
                                true, true, true, Duration.ofSeconds(5), true, true, true));
    }

    @Test
    void readsEachOfItsKeys() {
        assertThat(
                        MetricOptions.of(
                                configured(
                                        Map.of(
                                                PREFIX + "jvm.metrics.enabled",
                                                "false",
                                                PREFIX + "josdk.metrics.enabled",
                                                "false",
                                                PREFIX + "kubernetes.client.metrics.enabled",
                                                "false",
                                                PREFIX
                                                        + "kubernetes.client.metrics.slow.request.threshold",
                                                "2 s",
                                                PREFIX + "resource.metrics.enabled",
                                                "false",
                                                PREFIX + "resource.lifecycle.metrics.enabled",
                                                "false",
                                                PREFIX
                                                        + "resource.lifecycle.namespace.histograms.enabled",
                                                "false"))))
                .isEqualTo(
                        new MetricOptions(
                                false, false, false, Duration.ofSeconds(2), false, false, false));
    }

    @Test
    void knowsWhatMakesTheOperatorUnwell() {
        HealthOptions unless = HealthOptions.of(configured(Map.of()));
        HealthOptions set =
                HealthOptions.of(
                        configured(
                                Map.of(
                                        PREFIX + "health.canary.resource.timeout", "20 s",
                                        PREFIX + "startup.stop-on-informer-error", "false")));

        assertThat(unless.canaryTimeout()).hasMinutes(1);
        assertThat(set.canaryTimeout()).hasSeconds(20);
        assertThat(unless.stopsOnInformerError()).isTrue();
        assertThat(set.stopsOnInformerError()).isFalse();
    }

    private static DefaultConfiguration configured(Map<String, String> entries) {
        return new DefaultConfiguration(new FlinkConfiguration(entries));
    }
}
