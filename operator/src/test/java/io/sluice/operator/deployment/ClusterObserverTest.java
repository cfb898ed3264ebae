// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.FlinkConfiguration;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.rules.config.Options;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterObserverTest {
    private static final JobManagerView GONE = new JobManagerView.Absent();
    private static final JobManagerView LEAVING = new JobManagerView.Terminating();
    private static final JobManagerView FORMER =
            new JobManagerView.Present("uid", Optional.of("a former attempt"), true, true);

    private final Snapshots running = Snapshots.aRunningDeployment("savepoint");
    private final Snapshots edited = running.withImage("new");

    @Test
    void readsFromACacheThatAJobManagerIsUp() {
        JobManagerView up = running.snapshot().cluster().jobManager();

        assertThat(isCacheEnough(running, up)).isTrue();
        assertThat(isCacheEnough(edited, up)).isTrue();
    }

    @Test
    void waitsForARemovalByACache() {
        assertThat(isCacheEnough(running, GONE)).isTrue();
        assertThat(isCacheEnough(running, LEAVING)).isTrue();
        assertThat(isCacheEnough(running, FORMER)).isTrue();
    }

    /** A cache that is late may not show what has been started and has run since. */
    @Test
    void believesNoCacheThatAnAttemptNeverRanIfAnotherIsToTakeItsPlace() {
        assertThat(isCacheEnough(edited, GONE)).isFalse();
        assertThat(isCacheEnough(edited, LEAVING)).isFalse();
        assertThat(isCacheEnough(edited, FORMER)).isFalse();
        assertThat(
                        isCacheEnough(
                                edited,
                                edited.withJobManagerNeverUp().snapshot().cluster().jobManager()))
                .isFalse();
    }

    @Test
    void believesNoCacheThatNothingIsLeft() {
        Snapshot snapshot = running.snapshot();
        assertThat(isCacheEnough(snapshot, ClusterView.NONE)).isFalse();
    }

    /** Of a reactive one the size is set right, and where no JobManager is up that one is told. */
    @Test
    void seesWhetherAJobHasNoTaskManagersThatIsNotGivenAnyByItsSize() {
        assertThat(problem("standalone", "default", true, 0)).contains("ScaledToZero");
        assertThat(problem("standalone", "default", true, 1)).isEmpty();
        assertThat(problem("standalone", "default", false, 0)).isEmpty();
        assertThat(problem("standalone", "reactive", true, 0)).isEmpty();
        assertThat(problem("native", "default", true, 0)).isEmpty();
    }

    private static Optional<String> problem(
            String mode, String scheduler, boolean available, int taskManagers) {
        Snapshots runs =
                Snapshots.aNewResource()
                        .withSpec(Specs.application("flink:1.20", "stateless").put("mode", mode))
                        .decided()
                        .withJobManager(available);
        var children =
                new Children(
                        Optional.empty(),
                        Optional.of(
                                new DeploymentBuilder()
                                        .withNewMetadata()
                                        .withName("orders-taskmanager")
                                        .endMetadata()
                                        .withNewSpec()
                                        .withReplicas(taskManagers)
                                        .endSpec()
                                        .build()),
                        List.of(),
                        Optional.empty(),
                        List.of());
        return ClusterObserver.withTaskManagers(
                        runs.snapshot().cluster(),
                        children,
                        TakenUp.running(runs.snapshot().status()),
                        new Options(new FlinkConfiguration(Map.of("scheduler-mode", scheduler))))
                .problem()
                .map(ClusterView.PodProblem::reason);
    }

    private static boolean isCacheEnough(Snapshots of, JobManagerView jobManager) {
        return isCacheEnough(of.snapshot(), new ClusterView(jobManager, 1, Optional.empty()));
    }

    private static boolean isCacheEnough(Snapshot snapshot, ClusterView seen) {
        return ClusterObserver.isCacheEnough(
                seen,
                snapshot.status().attempt().id(),
                snapshot::status,
                false,
                _ -> snapshot.spec(),
                _ -> new Options(FlinkConfiguration.EMPTY),
                snapshot.now());
    }
}
