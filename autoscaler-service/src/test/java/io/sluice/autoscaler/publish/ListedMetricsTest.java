// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.explain.Explanations;
import io.sluice.rules.metric.Metric;
import org.junit.jupiter.api.Test;

class ListedMetricsTest {
    @Test
    void showsOfJobsWhatIsListedAndNothingElse() {
        assertThat(new JobMetrics(new Explanations()).collect())
                .extracting(family -> family.type + " " + family.name + " " + family.help)
                .containsExactlyInAnyOrderElementsOf(
                        Metric.shownBy("autoscaler").stream()
                                .filter(metric -> metric.labels().contains("namespace"))
                                .filter(metric -> metric.name().startsWith("sluice_autoscaler_"))
                                .map(
                                        metric ->
                                                metric.type()
                                                        + " "
                                                        + metric.name()
                                                        + " "
                                                        + metric.help())
                                .toList());
    }
}
