// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.decide.Evaluation;
import io.sluice.autoscaler.decide.Graph;
import io.sluice.autoscaler.decide.Measure;
import io.sluice.autoscaler.govern.Capacities;
import io.sluice.autoscaler.govern.Trend;
import io.sluice.autoscaler.govern.Vertex;
import io.sluice.flink.rest.JobVertex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VerticesTest {
    @Test
    void addsNothingToAVertexWithinItsBoundsBecauseAnotherIsTooLarge() {
        SortedMap<String, Vertex> vertices = proposed(700, 600);

        assertThat(vertices.get("large").proposed()).isEqualTo(3);
        assertThat(vertices.get("small").proposed()).isEqualTo(6);
    }

    @Test
    void addsToEachVertexWhereOneIsTooSmall() {
        SortedMap<String, Vertex> vertices = proposed(500, 600);

        assertThat(vertices.get("large").proposed()).isEqualTo(3);
        assertThat(vertices.get("small").proposed()).isEqualTo(7);
    }

    /** The engine wants 4 → 3 and 6 → 7. */
    private static SortedMap<String, Vertex> proposed(double capacity, double threshold) {
        var evaluation =
                new Evaluation(
                        Map.of(
                                "large", measures(900, 300),
                                "small", measures(capacity, threshold)),
                        new TreeMap<>(Map.of("large", 3, "small", 7)),
                        List.of(),
                        Optional.empty(),
                        10,
                        true,
                        Trend.STEADY,
                        Double.NaN,
                        Graph.EMPTY,
                        Optional.empty());
        return new Vertices(evaluation, new TreeMap<>(), Map.of(), Capacities.NONE)
                .of(List.of(running("large", 4), running("small", 6)), 0);
    }

    private static SortedMap<String, Measure> measures(double capacity, double threshold) {
        return new TreeMap<>(
                Map.of(
                        "true_processing_rate", new Measure(Double.NaN, capacity),
                        "scale_up_rate_threshold", new Measure(threshold, Double.NaN)));
    }

    private static JobVertex running(String id, int parallelism) {
        return new JobVertex(id, id, parallelism, 128, "RUNNING");
    }
}
