// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineEventTest {
    private static final EngineEvent REPORT =
            new EngineEvent(
                    EngineEvent.Severity.NORMAL,
                    "ScalingReport",
                    "begin scaling vertices:{ Vertex ID 0a | Parallelism 1 -> 4 }{ Vertex ID 0b | …",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    @Test
    void namesTheVerticesOfAReportBehindTheirIds() {
        assertThat(REPORT.naming(Map.of("0a", "work -> sink", "0c", "other")).message())
                .isEqualTo(
                        "begin scaling vertices:{ Vertex ID 0a (work -> sink) | Parallelism 1 -> 4"
                                + " }{ Vertex ID 0b | …");
    }

    @Test
    void shortensTheNameOfAVertexOfManyOperators() {
        assertThat(REPORT.naming(Map.of("0a", "map -> ".repeat(100))).message())
                .contains("0a (map -> map -> map -> map -> map -> map -…)");
    }

    @Test
    void leavesEverythingElseOfAnEventAsItIs() {
        EngineEvent named = REPORT.naming(Map.of("0a", "work"));

        assertThat(named.reason()).isEqualTo(REPORT.reason());
        assertThat(named.announcesScaling()).isEqualTo(REPORT.announcesScaling());
        assertThat(REPORT.naming(Map.of())).isEqualTo(REPORT);
    }
}
