// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.decide.Measure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScalingTextTest {
    private static final List<VertexView> VERTICES =
            List.of(
                    vertex(
                            "a",
                            "source",
                            Map.of(
                                    "target_data_rate",
                                    new Measure(200, 190),
                                    "true_processing_rate",
                                    new Measure(120, 110),
                                    "load",
                                    new Measure(0.9, 0.8))),
                    vertex("b", "sink", Map.of()));

    @Test
    void namesOnlyWhatChanges() {
        assertThat(ScalingText.brief(VERTICES, Map.of("a", 2, "b", 1))).isEqualTo("source 1 → 2");
        assertThat(ScalingText.brief(VERTICES, Map.of("a", 2, "b", 3)))
                .isEqualTo("source 1 → 2, sink 1 → 3");
    }

    @Test
    void tellsTheRatesThatLedToIt() {
        assertThat(ScalingText.full(VERTICES, Map.of("a", 2)))
                .isEqualTo(
                        "source (a) 1 -> 2: needs 190.0/s and NaN/s of backlog, can do 110.0/s at"
                                + " load 0.80");
    }

    private static VertexView vertex(String id, String name, Map<String, Measure> measures) {
        return new VertexView(id, name, 1, 128, Optional.empty(), new TreeMap<>(measures));
    }
}
