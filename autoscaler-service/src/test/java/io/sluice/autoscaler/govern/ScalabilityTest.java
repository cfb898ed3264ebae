// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalabilityTest {
    private static final List<Vertex.Point> MEASURED =
            List.of(new Vertex.Point(2, 200), new Vertex.Point(4, 360), new Vertex.Point(8, 600));

    @Test
    void isLearnedUnlessTheUserSaysOtherwise() {
        assertThat(of(Map.of())).isEqualTo(new Scalability.Learned());
        assertThat(of(Map.of("job.autoscaler.observed-scalability.enabled", "false")))
                .isEqualTo(new Scalability.Linear());
        assertThat(of(Map.of("job.autoscaler.observed-scalability.enabled", "true")))
                .isEqualTo(new Scalability.Observed(3, 0.5));
        assertThat(
                        of(
                                Map.of(
                                        "job.autoscaler.observed-scalability.enabled", "true",
                                        "job.autoscaler.observed-scalability.min-observations", "5",
                                        "job.autoscaler.observed-scalability.coefficient-min",
                                                "0.8")))
                .isEqualTo(new Scalability.Observed(5, 0.8));
    }

    @Test
    void countsSubtasksAlikeWhereNothingIsToBeObserved() {
        assertThat(new Scalability.Linear().subtasks(vertex(), 2)).isEqualTo(16);
    }

    /** (2·200 + 4·360 + 8·600) by (4 + 16 + 64)·100 is 0.79. */
    @Test
    void dividesByTheCoefficientOfAllThatWasMeasured() {
        assertThat(new Scalability.Observed(3, 0.5).subtasks(vertex(), 2))
                .isCloseTo(16 / 0.8, within(1e-9));
    }

    @Test
    void neverTakesTheCoefficientForLessThanTheLeast() {
        assertThat(new Scalability.Observed(3, 0.9).subtasks(vertex(), 2))
                .isCloseTo(16 / 0.9, within(1e-9));
    }

    @Test
    void waitsForEnoughObservations() {
        assertThat(new Scalability.Observed(4, 0.5).subtasks(vertex(), 2)).isEqualTo(16);
    }

    private static Vertex vertex() {
        return new Vertex(
                8,
                8,
                16,
                128,
                0,
                "",
                List.of(),
                new Vertex.Need(600, 500, 0, Double.NaN, false),
                MEASURED);
    }

    private static Scalability of(Map<String, String> options) {
        return Scalability.of(new JobOptions(new FlinkConfiguration(options)));
    }
}
