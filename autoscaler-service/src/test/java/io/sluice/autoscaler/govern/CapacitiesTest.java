// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.NOW;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class CapacitiesTest {
    @Test
    void allThatWasMeasuredIsComparableWhileARecordCostsTheSame() {
        Capacities seen =
                Capacities.NONE
                        .seen(doing(10, 1000))
                        .seen(doing(10, 1100))
                        .seen(doing(20, 1700))
                        .seen(doing(20, 1600));

        assertThat(seen.comparableSince("work")).isEqualTo(Instant.EPOCH);
    }

    @Test
    void nothingIsComparableThatWasMeasuredBeforeARecordCostMore() {
        Capacities seen = Capacities.NONE.seen(doing(10, 1000)).seen(doing(10, 700));

        assertThat(seen.comparableSince("work")).isEqualTo(NOW);
        assertThat(seen.seen(doing(20, 1400)).comparableSince("work")).isEqualTo(NOW);
    }

    @Test
    void remembersSixParallelismsAndTheSmallestAmongThem() {
        Capacities seen = Capacities.NONE;
        for (int parallelism = 1; parallelism <= 9; parallelism++) {
            seen = seen.seen(doing(parallelism, 100.0 * parallelism));
        }

        assertThat(seen.points("work"))
                .extracting(Vertex.Point::parallelism)
                .containsExactly(1, 5, 6, 7, 8);
    }

    @Test
    void keepsWhatItKnowsOfAVertexThatCannotBeMeasured() {
        Capacities seen = Capacities.NONE.seen(doing(10, 1000)).seen(doing(10, 700));

        assertThat(seen.seen(doing(10, Double.NaN))).isEqualTo(seen);
        assertThat(seen.comparableSince("unknown")).isEqualTo(Instant.EPOCH);
    }

    @Test
    void isReadAsItWasWritten() {
        Capacities seen = Capacities.NONE.seen(doing(10, 1000)).seen(doing(10, 700));

        assertThat(Capacities.read(seen.text().orElseThrow(), NOW)).isEqualTo(seen);
        assertThat(Capacities.NONE.text()).isEmpty();
    }

    @Test
    void isEmptyIfItsTextIsBrokenOrOfALaterTime() {
        String text =
                Capacities.NONE.seen(doing(10, 1000)).seen(doing(10, 700)).text().orElseThrow();

        assertThat(Capacities.read(text, NOW.minusSeconds(1))).isEqualTo(Capacities.NONE);
        assertThat(Capacities.read(text.replace("=700.0", "=NaN"), NOW)).isEqualTo(Capacities.NONE);
        assertThat(Capacities.read("work 1", NOW)).isEqualTo(Capacities.NONE);
    }

    private static Proposal doing(int parallelism, double capacity) {
        return job(vertex(parallelism, parallelism).needing(capacity, 500, 0, false));
    }
}
