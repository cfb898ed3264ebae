// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.client.CollectorRegistry;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.decide.Measure;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.explain.HourlyHistory;
import io.sluice.autoscaler.explain.Timeline;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.explain.VertexView;
import io.sluice.autoscaler.govern.Consumption;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.state.Discarded;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobMetricsTest {
    private static final JobKey KEY = new JobKey("shop", "orders", "u-1");
    private static final String[] JOB = {"namespace", "name"};
    private static final String[] VERTEX = {"namespace", "name", "vertex"};

    private final Explanations explanations = new Explanations();
    private final CollectorRegistry registry = new CollectorRegistry();

    JobMetricsTest() {
        registry.register(new JobMetrics(explanations));
    }

    @Test
    void showsWhatWasSeenLast() {
        explanations.put(explanation(vertex("01", "work")));

        assertThat(registry.getSampleValue("sluice_autoscaler_scalings_total", JOB, labels()))
                .isEqualTo(2);
        assertThat(registry.getSampleValue("sluice_autoscaler_vertex_load", VERTEX, labels("work")))
                .isEqualTo(0.5);
        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_vertex_parallelism", VERTEX, labels("work")))
                .isEqualTo(3);
    }

    @Test
    void countsHoldsByReasonAndTheBudgetOfTheDay() {
        explanations.put(explanation(vertex("01", "work")));

        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_holds_total",
                                new String[] {"namespace", "name", "reason"},
                                new String[] {"shop", "orders", "COOLING_DOWN"}))
                .isEqualTo(3);
        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_state_discarded_total",
                                new String[] {"namespace", "name", "reason"},
                                new String[] {"shop", "orders", "TOO_LARGE"}))
                .isEqualTo(2);
        assertThat(registry.getSampleValue("sluice_autoscaler_budget_left", JOB, labels()))
                .isEqualTo(16);
        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_rescale_downtime_seconds", JOB, labels()))
                .isEqualTo(2);
    }

    @Test
    void tellsWhatTheJobTakesAndWhatItNeeds() {
        explanations.put(explanation(vertex("01", "work")));

        assertThat(registry.getSampleValue("sluice_autoscaler_slots", JOB, labels())).isEqualTo(6);
        assertThat(registry.getSampleValue("sluice_autoscaler_slots_needed", JOB, labels()))
                .isEqualTo(4);
        assertThat(registry.getSampleValue("sluice_autoscaler_cost_per_hour", JOB, labels()))
                .isEqualTo(0.3);
        assertThat(registry.getSampleValue("sluice_autoscaler_cost_needed_per_hour", JOB, labels()))
                .isEqualTo(0.2);
        assertThat(registry.getSampleValue("sluice_autoscaler_lag_seconds", JOB, labels()))
                .isNull();
    }

    @Test
    void leavesOutWhatCouldNotBeMeasured() {
        explanations.put(explanation(vertex("01", "work")));

        assertThat(registry.getSampleValue("sluice_autoscaler_vertex_lag", VERTEX, labels("work")))
                .isNull();
    }

    @Test
    void tellsVerticesOfOneNameApart() {
        explanations.put(explanation(vertex("01", "work"), vertex("02", "work")));

        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_vertex_load", VERTEX, labels("work 01")))
                .isEqualTo(0.5);
        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_vertex_load", VERTEX, labels("work 02")))
                .isEqualTo(0.5);
    }

    @Test
    void forgetsAJobThatIsGone() {
        explanations.put(explanation(vertex("01", "work")));
        explanations.remove(KEY);

        assertThat(registry.getSampleValue("sluice_autoscaler_scalings_total", JOB, labels()))
                .isNull();
        assertThat(
                        registry.getSampleValue(
                                "sluice_autoscaler_vertex_parallelism", VERTEX, labels("work")))
                .isNull();
    }

    private static String[] labels(String... vertex) {
        return vertex.length == 0
                ? new String[] {"shop", "orders"}
                : new String[] {"shop", "orders", vertex[0]};
    }

    private static Explanation explanation(VertexView... vertices) {
        return new Explanation(
                KEY,
                Instant.EPOCH,
                List.of(vertices),
                Graph.EMPTY,
                new Verdict.Balanced(),
                new Counts(
                        2,
                        0,
                        1,
                        Map.of(HoldReason.COOLING_DOWN, 3L),
                        Map.of(Discarded.Cause.TOO_LARGE, 2L),
                        4,
                        20),
                Optional.of(Duration.ofSeconds(2)),
                Optional.of(new Consumption(6, Optional.of(4), Optional.of(0.3), Optional.of(0.2))),
                Optional.of(Duration.ofMinutes(5)),
                List.of(),
                new Timeline(),
                new HourlyHistory());
    }

    private static VertexView vertex(String id, String name) {
        return new VertexView(
                id,
                name,
                3,
                128,
                Optional.empty(),
                new TreeMap<>(
                        Map.of(
                                "load", new Measure(0.9, 0.5),
                                "lag", new Measure(Double.NaN, Double.NaN))));
    }
}
