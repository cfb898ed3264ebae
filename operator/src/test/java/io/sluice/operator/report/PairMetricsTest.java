// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prometheus.client.CollectorRegistry;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.process.metric.Series;
import io.sluice.rules.bluegreen.HalfSize;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PairMetricsTest {
    private final CollectorRegistry registry = new CollectorRegistry();
    private final PairMetrics metrics = new PairMetrics(new Series(registry));

    @Test
    void showsTheStateOfAPairUntilNothingIsLeftOfIt() throws IOException {
        saw(pair("ACTIVE_BLUE", "a", "Ended", "Promoted"));
        saw(pair("TRANSITIONING_TO_GREEN", "b", "Starting", "Promoted"));

        assertThat(samples(0))
                .containsExactly("[shop, orders, TRANSITIONING_TO_GREEN, RUNNING] 1.0");
        assertThat(samples(1)).containsExactly("[shop, orders] 1.0");

        metrics.gone(pair("ACTIVE_BLUE", "b", "Ended", "Promoted"));

        assertThat(samples(0)).isEmpty();
        assertThat(samples(1)).isEmpty();
    }

    @Test
    void countsATransitionOnceItHasEnded() throws IOException {
        saw(pair("ACTIVE_BLUE", "a", "Ended", "Promoted"));
        saw(pair("TRANSITIONING_TO_GREEN", "b", "Starting", "Promoted"));
        saw(pair("ACTIVE_BLUE", "b", "Ended", "Aborted"));
        saw(pair("ACTIVE_BLUE", "b", "Ended", "Aborted"));

        assertThat(count("Aborted")).isEqualTo(1.0);
        assertThat(count("Promoted")).as("it had ended before").isNull();
    }

    @Test
    void showsWhatChecksFoundWhileTheTransitionIsInProgress() throws IOException {
        var proving = pair("TRANSITIONING_TO_GREEN", "b", "Proving", "Promoted");
        ((ObjectNode) proving.getStatus().get("transition"))
                .set(
                        "checks",
                        yaml("""
                        checks:
                          - {name: max-lag-ratio, value: "1.5", failures: 1, bound: at most 1.2}
                          - {name: query.errors, failures: 0, bound: at least -3 and at most 0.1}
                        """)
                                .get("checks"));
        saw(proving);

        assertThat(samples(4)).containsExactly("[shop, orders, max-lag-ratio] 1.5");
        assertThat(samples(5))
                .containsExactly(
                        "[shop, orders, max-lag-ratio, most] 1.2",
                        "[shop, orders, query.errors, least] -3.0",
                        "[shop, orders, query.errors, most] 0.1");

        ((ObjectNode) proving.getStatus().get("transition")).put("phase", "Ended");
        saw(proving);
        assertThat(samples(4)).isEmpty();
        assertThat(samples(5)).isEmpty();
    }

    @Test
    void showsWhenThePhaseOfATransitionEndsAtTheLatest() throws IOException {
        var pair = pair("TRANSITIONING_TO_GREEN", "b", "Retiring", "Promoted");
        var transition = (ObjectNode) pair.getStatus().get("transition");
        transition.put("deadline", "1970-01-01T00:10:00Z");
        saw(pair);
        assertThat(samples(6)).containsExactly("[shop, orders, Retiring] 600.0");

        transition.put("phase", "Approval").put("approvalSince", "1970-01-01T01:00:00Z");
        pair.setSpec(
                yaml("{configuration: {kubernetes.operator.bluegreen.promotion.deadline: 1 h}}"));
        saw(pair);
        assertThat(samples(6))
                .as("that of the approval")
                .containsExactly("[shop, orders, Approval] 7200.0");

        transition.put("phase", "Ended");
        saw(pair);
        assertThat(samples(6)).isEmpty();
    }

    @Test
    void tellsWhetherAPairIsReadyOrNeedsSomebody() throws IOException {
        var pair = pair("ACTIVE_BLUE", "a", "Ended", "Aborted");
        pair.getMetadata().setGeneration(3L);
        pair.getStatus()
                .put("observedGeneration", 2)
                .set(
                        "conditions",
                        yaml("""
                                        conditions:
                                          - {type: Stalled, status: "True", reason: TransitionFailed, message: "",
                                             lastTransitionTime: "2026-03-01T12:00:00Z"}
                                        """)
                                .get("conditions"));
        saw(pair);

        assertThat(metrics.flags())
                .containsExactly(
                        Map.entry(
                                new ResourceKey("FlinkBlueGreenDeployment", "shop", "orders"),
                                new PairFlags(false, true, 1)));
    }

    @Test
    void showsWhatTheSecondHalfTakesWhileBothMayRun() throws IOException {
        saw(pair("TRANSITIONING_TO_GREEN", "b", "Starting", "Promoted"));

        assertThat(samples(2)).containsExactly("[shop, orders] 2.5");
        assertThat(samples(3)).containsExactly("[shop, orders] 1024.0");

        saw(pair("ACTIVE_GREEN", "b", "Ended", "Promoted"));
        assertThat(samples(2)).containsExactly("[shop, orders] 0.0");
        assertThat(samples(3)).containsExactly("[shop, orders] 0.0");
    }

    @Test
    void measuresHowLongThePhasesTook() throws IOException {
        saw(pair("TRANSITIONING_TO_GREEN", "b", "Starting", "Promoted", "2026-03-01T12:00:00Z"));
        saw(pair("TRANSITIONING_TO_GREEN", "b", "Proving", "Promoted", "2026-03-01T12:00:30Z"));
        saw(pair("TRANSITIONING_TO_GREEN", "b", "Proving", "Promoted", "2026-03-01T12:00:30Z"));
        saw(pair("TRANSITIONING_TO_BLUE", "c", "Starting", "Promoted", "2026-03-01T12:09:00Z"));

        assertThat(seconds("Starting")).isEqualTo(30.0);
        assertThat(seconds("Proving")).as("its end was not seen").isNull();
    }

    private Double seconds(String phase) {
        return registry.getSampleValue(
                "sluice_bluegreen_transition_seconds_sum",
                new String[] {"namespace", "phase"},
                new String[] {"shop", phase});
    }

    private void saw(FlinkBlueGreenDeployment pair) {
        metrics.saw(pair, () -> new HalfSize(2.5, 1024));
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
        return pair(state, id, phase, outcome, "2026-03-01T12:00:00Z");
    }

    private static FlinkBlueGreenDeployment pair(
            String state, String id, String phase, String outcome, String since)
            throws IOException {
        var resource = new FlinkBlueGreenDeployment();
        resource.getMetadata().setName("orders");
        resource.getMetadata().setNamespace("shop");
        resource.setStatus(
                yaml(
                        """
                        blueGreenState: %s
                        jobStatus: {state: RUNNING}
                        transition: {id: %s, from: BLUE, to: GREEN, phase: %s, outcome: %s, handover: overlap, since: "%s"}
                        """
                                .formatted(state, id, phase, outcome, since)));
        return resource;
    }

    private static ObjectNode yaml(String text) throws IOException {
        return (ObjectNode) new YAMLMapper().readTree(text);
    }
}
