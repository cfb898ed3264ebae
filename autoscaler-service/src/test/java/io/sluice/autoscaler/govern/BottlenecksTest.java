// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BottlenecksTest {
    @Test
    void theOthersOfItsPipelineAreSizedForWhatASourceWithThreePartitionsDelivers() {
        Proposal respected =
                Bottlenecks.respected(
                        job(
                                Map.of(
                                        "source",
                                        vertex(3, 3).needing(600, 1200, 500, false).sharing(3),
                                        "map",
                                        vertex(4, 30)
                                                .needing(800, 1200, 500, false)
                                                .reading("source"))));

        assertThat(need(respected, "map").rate()).isEqualTo(600);
        assertThat(need(respected, "map").backlog()).isZero();
        assertThat(need(respected, "source").rate()).isEqualTo(1200);
    }

    @Test
    void whatFeedsASinkThatMoreSubtasksDidNotHelpIsSizedForWhatTheSinkTakes() {
        Proposal respected =
                Bottlenecks.respected(
                        job(
                                Map.of(
                                        "source",
                                        vertex(4, 30).needing(1500, 2000, 500, false),
                                        "sink",
                                        flatSink().reading("source"))));

        assertThat(need(respected, "source").rate()).isEqualTo(1000);
    }

    @Test
    void anotherPipelineOfTheJobIsLeftAsItIs() {
        Proposal asked =
                job(
                        Map.of(
                                "source", vertex(4, 8).needing(400, 800, 100, false),
                                "map", vertex(4, 8).needing(400, 800, 100, false).reading("source"),
                                "sink", flatSink().reading("other"),
                                "other", vertex(4, 4)));

        Proposal respected = Bottlenecks.respected(asked);

        assertThat(need(respected, "map")).isEqualTo(need(asked, "map"));
        assertThat(need(respected, "source")).isEqualTo(need(asked, "source"));
    }

    @Test
    void aVertexThatCanStillGrowIsNone() {
        Proposal asked =
                job(
                        Map.of(
                                "source", vertex(4, 30).needing(400, 1200, 500, false),
                                "map",
                                        vertex(4, 30)
                                                .needing(400, 1200, 500, false)
                                                .reading("source")));

        assertThat(Bottlenecks.respected(asked)).isSameAs(asked);
    }

    /** It did 1000 with 5 subtasks, and does 1000 with 10. */
    private static Proposals.Draft flatSink() {
        return new Proposals.Draft(
                vertex(10, 20)
                        .needing(1000, 2000, 0, false)
                        .vertex()
                        .withCurve(List.of(new Vertex.Point(5, 1000))));
    }

    private static Vertex.Need need(Proposal proposal, String vertex) {
        return proposal.vertices().get(vertex).need();
    }
}
