// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MarkTest {
    @Test
    void aScalingTellsWhatBecomesOfEachVertex() {
        var verdict =
                new Verdict.Scaled(
                        new TreeMap<>(Map.of("a", 2, "b", 5, "c", 1)), false, new TreeMap<>());

        assertThat(why(verdict)).isEqualTo(verdict.why() + ": source 1 → 2, window 8 → 5");
    }

    @Test
    void aScalingThatFitsAJobTellsThatItsLoadStayedTheSame() {
        var verdict = new Verdict.Scaled(new TreeMap<>(Map.of("a", 2)), true, new TreeMap<>());

        assertThat(why(verdict)).contains("stayed the same", "governor.calm");
    }

    @Test
    void whatChangesNothingTellsItsReasonOnly() {
        var verdict = new Verdict.Balanced();

        assertThat(why(verdict)).isEqualTo(verdict.why());
    }

    private static String why(Verdict verdict) {
        return Mark.of(
                        Instant.EPOCH,
                        verdict,
                        List.of(
                                vertex("a", "source", 1),
                                vertex("b", "window", 8),
                                vertex("c", "sink", 1)))
                .why();
    }

    private static VertexView vertex(String id, String name, int parallelism) {
        return new VertexView(
                id, name, parallelism, 128, Optional.empty(), Collections.emptySortedMap());
    }
}
