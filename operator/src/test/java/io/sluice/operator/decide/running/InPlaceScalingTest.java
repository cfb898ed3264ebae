// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.LifecycleState;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ScalingView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InPlaceScalingTest {
    @Test
    void raisesTheUpperBoundAndLeavesTheLowerOne() {
        var decision = decide(Map.of("a", 3), 1, new ParallelismBounds(1, 1));

        assertThat(bounds(decision)).containsEntry("a", new ParallelismBounds(1, 3));
        assertThat(decision.notes())
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("count from 1 to 3"));
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void lowersTheLowerBoundWithTheUpperOne() {
        var decision = decide(Map.of("a", 2), 4, new ParallelismBounds(3, 4));

        assertThat(bounds(decision)).containsEntry("a", new ParallelismBounds(2, 2));
    }

    @Test
    void asksForNothingWhoseBoundsAreInForce() {
        var decision = decide(Map.of("a", 3), 3, new ParallelismBounds(1, 3));

        assertThat(decision.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void waitsUntilTheVertexHasFollowedItsBounds() {
        var decision = decide(Map.of("a", 3), 1, new ParallelismBounds(1, 3));

        assertThat(decision.reason()).isEqualTo(Reason.SCALING_IN_PLACE);
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void staysWithinWhatTheVertexCanDo() {
        var decision = decide(Map.of("a", 500), 1, new ParallelismBounds(1, 1));

        assertThat(bounds(decision)).containsEntry("a", new ParallelismBounds(1, 128));
    }

    @Test
    void leavesAVertexAloneThatNobodySpeaksOf() {
        var decision = decide(Map.of("other", 2), 1, new ParallelismBounds(1, 1));

        assertThat(decision.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(decision.actions()).isEmpty();
    }

    private static Decision decide(
            Map<String, Integer> overrides, int parallelism, ParallelismBounds bounds) {
        return aRunningDeployment()
                .withScaling(
                        overrides,
                        new ScalingView.Known(
                                List.of(new JobVertex("a", "count", parallelism, 128, "RUNNING")),
                                Map.of("a", bounds)))
                .decide();
    }

    private static Map<String, ParallelismBounds> bounds(Decision decision) {
        return ((Action.ScaleInPlace) decision.actions().getFirst()).bounds();
    }
}
