// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurveTest {
    private static final Vertex.Point ONE = new Vertex.Point(1, 60);

    @Test
    void aVertexIsNotFlatAsLongAsMoreSubtasksDoMore() {
        assertThat(Curve.isFlat(now(6, 360, ONE))).isFalse();
        assertThat(Curve.isFlat(now(6, 120, ONE))).isFalse();
    }

    @Test
    void whatTheFirstSubtasksBroughtDoesNotHideThatTheLastBroughtNothing() {
        Vertex full = now(10, 120, ONE, new Vertex.Point(6, 120));

        assertThat(Curve.isFlat(full)).isTrue();
        assertThat(Curve.leastOfSameRate(full)).isEqualTo(6);
    }

    @Test
    void aLargerNumberThatDidNoMoreTellsItToo() {
        assertThat(Curve.isFlat(now(6, 120, ONE, new Vertex.Point(10, 122)))).isTrue();
    }

    @Test
    void aStepThatIsTooSmallTellsNothing() {
        assertThat(Curve.isFlat(now(8, 120, ONE, new Vertex.Point(6, 120)))).isFalse();
    }

    @Test
    void aCurveThatBendsIsFollowedByASmallStep() {
        assertThat(Curve.subtasks(now(6, 120, ONE), 3)).isCloseTo(6 * 1.6, within(1e-9));
        assertThat(Curve.subtasks(now(6, 360, ONE), 3)).isCloseTo(18, within(1e-9));
    }

    @Test
    void fewerAreTakenAsTheCurveHasIt() {
        assertThat(Curve.subtasks(now(6, 120, ONE), 0.5)).isCloseTo(1.5, within(1e-9));
    }

    private static Vertex now(int parallelism, double capacity, Vertex.Point... before) {
        return vertex(parallelism, 2 * parallelism)
                .needing(capacity, 2 * capacity, 0, false)
                .vertex()
                .withCurve(List.of(before));
    }
}
