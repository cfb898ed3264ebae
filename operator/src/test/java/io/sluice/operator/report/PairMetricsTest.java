// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prometheus.client.CollectorRegistry;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.process.metric.Series;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairMetricsTest {
    private final CollectorRegistry registry = new CollectorRegistry();
    private final PairMetrics metrics = new PairMetrics(new Series(registry));

    @Test
    void showsTheStateOfAPairUntilNothingIsLeftOfIt() throws IOException {
        metrics.saw(pair("ACTIVE_BLUE", "a", "Ended", "Promoted"));
        metrics.saw(pair("TRANSITIONING_TO_GREEN", "b", "Starting", "Promoted"));

        assertThat(samples(0))
                .containsExactly("[shop, orders, TRANSITIONING_TO_GREEN, RUNNING] 1.0");
        assertThat(samples(1)).containsExactly("[shop, orders] 1.0");

        metrics.gone(pair("ACTIVE_BLUE", "b", "Ended", "Promoted"));

        assertThat(samples(0)).isEmpty();
        assertThat(samples(1)).isEmpty();
    }

    @Test
    void countsATransitionOnceItHasEnded() throws IOException {
        metrics.saw(pair("ACTIVE_BLUE", "a", "Ended", "Promoted"));
        metrics.saw(pair("TRANSITIONING_TO_GREEN", "b", "Starting", "Promoted"));
        metrics.saw(pair("ACTIVE_BLUE", "b", "Ended", "Aborted"));
        metrics.saw(pair("ACTIVE_BLUE", "b", "Ended", "Aborted"));

        assertThat(count("Aborted")).isEqualTo(1.0);
        assertThat(count("Promoted")).as("it had ended before").isNull();
    }

    private Double count(String outcome) {
        return registry.getSampleValue(
                "sluice_bluegreen_transitions_total",
                new String[] {"namespace", "outcome"},
                new String[] {"shop", outcome});
    }

    private List<String> samples(int family) {
        return metrics.collect().get(family).samples.stream()
                .map(sample -> sample.labelValues + " " + sample.value)
                .toList();
    }

    private static FlinkBlueGreenDeployment pair(
            String state, String id, String phase, String outcome) throws IOException {
        var resource = new FlinkBlueGreenDeployment();
        resource.getMetadata().setName("orders");
        resource.getMetadata().setNamespace("shop");
        resource.setStatus(
                yaml(
                        """
                        blueGreenState: %s
                        jobStatus: {state: RUNNING}
                        transition: {id: %s, from: BLUE, to: GREEN, phase: %s, outcome: %s, handover: overlap}
                        """
                                .formatted(state, id, phase, outcome)));
        return resource;
    }

    private static ObjectNode yaml(String text) throws IOException {
        return (ObjectNode) new YAMLMapper().readTree(text);
    }
}
