// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.JobState;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster whose TaskManagers are a Deployment of ours. */
class StandaloneTest {
    @Test
    void isDeployedAndRuns() {
        assertThat(running(spec(true)).decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void scalesAReactiveJobByItsTaskManagers() {
        ObjectNode larger = spec(true);
        larger.withObject("/taskManager").put("replicas", 3);
        var changed = running(spec(true)).withSpec(larger);

        assertThat(changed.decide().reason()).isEqualTo(Reason.SCALING_IN_PLACE);
        assertThat(changed.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.ProvideTaskManagers.class,
                        action -> assertThat(action.plan().taskManagers()).isEqualTo(3));
        assertThat(changed.decide().notes()).extracting(Note::reason).contains("Scaling");
        var scaled = changed.decided().withScaling(Map.of(), standing(3));
        assertThat(scaled.decide().actions()).isEmpty();
        assertThat(scaled.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    /** Numbers beyond 127 are other objects each time they are boxed. */
    @Test
    void comparesNumbersAndNotObjects() {
        ObjectNode large = spec(true);
        large.withObject("/taskManager").put("replicas", 1000);

        var same = running(large).withScaling(Map.of(), standing(1000));

        assertThat(same.decide().actions()).isEmpty();
    }

    @Test
    void restartsAJobThatIsNotReactive() {
        ObjectNode larger = spec(false);
        larger.withObject("/taskManager").put("replicas", 3);

        assertThat(running(spec(false)).withSpec(larger).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void scalesAReactiveJobAgainAfterACrash() {
        ObjectNode larger = spec(true);
        larger.withObject("/taskManager").put("replicas", 3);
        var crashed = running(spec(true)).withSpec(larger).decided();

        assertThat(crashed.decide().actions())
                .hasOnlyElementsOfType(Action.ProvideTaskManagers.class);
    }

    @Test
    void makesTheTaskManagersThatAreNotThere() {
        var alone =
                running(spec(false))
                        .withScaling(Map.of(), new ScalingView.TaskManagers(Optional.empty()));

        assertThat(alone.decide().actions())
                .hasOnlyElementsOfType(Action.ProvideTaskManagers.class);
        assertThat(alone.withJob(JobState.CREATED, 0).decide().actions())
                .hasOnlyElementsOfType(Action.ProvideTaskManagers.class);
        assertThat(alone.withJob(JobState.FINISHED, 0).decide().actions()).isEmpty();
    }

    @Test
    void leavesTheSizeOfANotReactiveJobToItsNextStart() {
        var other = running(spec(false)).withScaling(Map.of(), standing(7));

        assertThat(other.decide().actions()).isEmpty();
    }

    @Test
    void scalesASessionClusterByItsTaskManagers() {
        ObjectNode larger = sessionCluster();
        larger.withObject("/taskManager").put("replicas", 3);
        var ready =
                SessionSnapshots.aReadySessionCluster(sessionCluster())
                        .withScaling(Map.of(), standing(1));
        assertThat(ready.decide().reason()).isEqualTo(Reason.SESSION_CLUSTER_READY);

        var changed = ready.withSpec(larger);

        assertThat(changed.decide().reason()).isEqualTo(Reason.SCALING_IN_PLACE);
        assertThat(changed.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.ProvideTaskManagers.class,
                        action -> assertThat(action.plan().taskManagers()).isEqualTo(3));
        assertThat(changed.decided().withScaling(Map.of(), standing(3)).decide().reason())
                .isEqualTo(Reason.SESSION_CLUSTER_READY);
    }

    @Test
    void makesTheTaskManagersOfASessionClusterThatAreNotThere() {
        var alone =
                SessionSnapshots.aReadySessionCluster(sessionCluster())
                        .withScaling(Map.of(), new ScalingView.TaskManagers(Optional.empty()));

        assertThat(alone.decide().actions())
                .hasOnlyElementsOfType(Action.ProvideTaskManagers.class);
    }

    private static ObjectNode sessionCluster() {
        return SessionSnapshots.sessionCluster().put("mode", "standalone");
    }

    private static Snapshots running(ObjectNode spec) {
        return Snapshots.aNewResource()
                .withSpec(spec)
                .withScaling(Map.of(), standing(1))
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    private static ScalingView standing(int replicas) {
        return new ScalingView.TaskManagers(Optional.of(replicas));
    }

    private static ObjectNode spec(boolean reactive) {
        ObjectNode spec = Specs.application("flink:1.20", "stateless").put("mode", "standalone");
        if (reactive) {
            spec.withObject("/flinkConfiguration").put("scheduler-mode", "reactive");
        }
        return spec;
    }
}
