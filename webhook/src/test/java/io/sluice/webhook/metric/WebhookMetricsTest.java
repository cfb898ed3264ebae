// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.client.Collector;
import io.sluice.process.LiveConfiguration;
import io.sluice.rules.metric.Metric;
import io.sluice.webhook.cache.CacheSizes;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WebhookMetricsTest {
    @Test
    void registersWhatIsListedAndNothingElse() {
        var metrics = new WebhookMetrics();
        metrics.registry().register(new CacheSizes(List.of()));
        metrics.configuration(LiveConfiguration.awaited(Optional.empty(), _ -> {}));

        assertThat(registered(metrics))
                .isEqualTo(
                        Metric.shownBy("webhook").stream()
                                .filter(metric -> !metric.isOfRuntime())
                                .collect(
                                        Collectors.toMap(
                                                Metric::name, WebhookMetricsTest::described)));
    }

    private static Map<String, String> registered(WebhookMetrics metrics) {
        return Collections.list(metrics.registry().metricFamilySamples()).stream()
                .filter(family -> family.name.startsWith("sluice_"))
                .collect(Collectors.toMap(family -> family.name, WebhookMetricsTest::described));
    }

    private static String described(Collector.MetricFamilySamples family) {
        return family.type.name() + " " + family.help;
    }

    private static String described(Metric metric) {
        return metric.type().name().toUpperCase(Locale.ROOT) + " " + metric.help();
    }
}
