// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.ScalingView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        assertThat(changed.decide().notes()).extracting(ResourceEvent::reason).contains("Scaling");
        var scaled = changed.decided().withScaling(Map.of(), taskManagers(3));
        assertThat(scaled.decide().actions()).isEmpty();
        assertThat(scaled.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    /** Numbers beyond 127 are other objects each time they are boxed. */
    @Test
    void comparesNumbersAndNotObjects() {
        ObjectNode large = spec(true);
        large.withObject("/taskManager").put("replicas", 1000);

        var same = running(large).withScaling(Map.of(), taskManagers(1000));

        assertThat(same.decide().actions()).isEmpty();
    }

    @Test
    void restartsAJobThatIsNotReactive() {
        ObjectNode larger = spec(false);
        larger.withObject("/taskManager").put("replicas", 3);

        assertThat(running(spec(false)).withSpec(larger).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    /** The condition of a job that has ended says that a change of the spec starts it again. */
    @Test
    void startsAReactiveJobAgainThatHasEndedWhenItsSizeIsChanged() {
        ObjectNode larger = spec(true);
        larger.withObject("/taskManager").put("replicas", 3);
        Snapshots cancelled = running(spec(true)).withJob(JobState.CANCELED, 0);

        assertThat(cancelled.withSpec(larger).decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(
                        cancelled
                                .decided()
                                .withNothingLeft()
                                .withSpec(larger)
                                .decided()
                                .decide()
                                .actions())
                .hasOnlyElementsOfType(Action.CreateCluster.class);
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
        var other = running(spec(false)).withScaling(Map.of(), taskManagers(7));

        assertThat(other.decide().actions()).isEmpty();
    }

    @Test
    void scalesASessionClusterByItsTaskManagers() {
        ObjectNode larger = sessionCluster();
        larger.withObject("/taskManager").put("replicas", 3);
        var ready =
                SessionSnapshots.aReadySessionCluster(sessionCluster())
                        .withScaling(Map.of(), taskManagers(1));
        assertThat(ready.decide().reason()).isEqualTo(Reason.SESSION_CLUSTER_READY);

        var changed = ready.withSpec(larger);

        assertThat(changed.decide().reason()).isEqualTo(Reason.SCALING_IN_PLACE);
        assertThat(changed.decide().actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.ProvideTaskManagers.class,
                        action -> assertThat(action.plan().taskManagers()).isEqualTo(3));
        assertThat(changed.decided().withScaling(Map.of(), taskManagers(3)).decide().reason())
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

    /** Nothing else takes them along: whatever follows would wait for them for ever. */
    @ParameterizedTest
    @MethodSource("waitingForARemoval")
    void deletesTaskManagersThatWereLeftWithoutAJobManager(Snapshots waiting) {
        for (int pods = 0; pods < 2; pods++) {
            assertThat(waiting.withTaskManagersOnly(pods, false).decide().actions())
                    .containsExactly(
                            new Action.DeleteTaskManagers(
                                    "taskmanagers-1", Action.Propagation.FOREGROUND));
            assertThat(waiting.withTaskManagersOnly(pods, true).decide().actions()).isEmpty();
        }
    }

    static List<Snapshots> waitingForARemoval() {
        Snapshots running = running(spec(true));
        Snapshots stopping =
                Snapshots.aNewResource("savepoint")
                        .withSpec(
                                Specs.application("flink:1.20", "savepoint")
                                        .put("mode", "standalone"))
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withImage("new")
                        .decided();
        assertThat(stopping.observed().status().attempt().stop()).isPresent();
        return List.of(
                running.withImage("new").decided(),
                running.withState("suspended").decided(),
                running.withNothingLeft().decided(),
                running,
                running.withImage("new"),
                running.deleted(),
                running.withJob(JobState.FINISHED, 0).decided(),
                stopping);
    }

    @Test
    void deletesTaskManagersEvenWhileSomethingElseIsOverdue() {
        var left =
                new ClusterView(
                        new ClusterView.JobManagerView.Absent(),
                        1,
                        Optional.empty(),
                        Optional.of(new ClusterView.Remnant("Pod 'p' does not end.", true)),
                        List.of(),
                        Optional.of(new ClusterView.Strays("taskmanagers-1", false)),
                        false,
                        Set.of());

        var overdue = running(spec(true)).deleted().withCluster(left).decide();

        assertThat(overdue.reason()).isEqualTo(Reason.REMOVAL_OVERDUE);
        assertThat(overdue.actions()).hasOnlyElementsOfType(Action.DeleteTaskManagers.class);
    }

    @Test
    void leavesTaskManagersAloneThatWereThereBeforeTheResource() {
        var unknown = Snapshots.aNewResource().withSpec(spec(true)).withTaskManagersOnly(1, false);

        assertThat(unknown.decide().reason()).isEqualTo(Reason.WAITING_FOR_REMOVAL);
        assertThat(unknown.decide().actions()).isEmpty();
    }

    @Test
    void tellsThatTaskManagersAreRefusedAndTriesAgain() {
        ObjectNode larger = spec(true);
        larger.withObject("/taskManager").put("replicas", 3);
        var alone =
                running(spec(false))
                        .withScaling(Map.of(), new ScalingView.TaskManagers(Optional.empty()));

        for (var wanting : List.of(alone, running(spec(true)).withSpec(larger))) {
            var refused = wanting.withRefusal("somebody else's");
            assertThat(refused.decide().reason()).isEqualTo(Reason.MANIFESTS_REFUSED);
            assertThat(refused.decide().detail()).isEqualTo("somebody else's");
            assertThat(refused.decide().notes())
                    .anyMatch(event -> event.message().contains("somebody else's"));
            assertThat(refused.decide().actions())
                    .hasOnlyElementsOfType(Action.ProvideTaskManagers.class);
            assertThat(refused.decided().decide().status())
                    .isEqualTo(refused.decided().observed().status());
        }
        assertThat(running(spec(false)).withRefusal("former").decide().reason())
                .isEqualTo(Reason.JOB_RUNNING);
    }

    private static ObjectNode sessionCluster() {
        return SessionSnapshots.sessionCluster().put("mode", "standalone");
    }

    private static Snapshots running(ObjectNode spec) {
        return Snapshots.aNewResource()
                .withSpec(spec)
                .withScaling(Map.of(), taskManagers(1))
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    private static ScalingView taskManagers(int replicas) {
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
