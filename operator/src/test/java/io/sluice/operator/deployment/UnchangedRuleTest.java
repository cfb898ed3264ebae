// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static io.sluice.api.spec.StateKind.SAVEPOINT;
import static io.sluice.operator.decide.SessionSnapshots.aNewSessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.listing;
import static io.sluice.operator.decide.SessionSnapshots.silentCluster;
import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.observe.ObservationMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnchangedRuleTest {
    private static final ClusterFacts FACTS =
            new ClusterFacts(Optional.of(new ClusterConfig("1.20.5", "e1d9c1e")), Optional.of(1));

    private final ObservationMemory memory = new ObservationMemory();

    @Test
    void aJobThatRunsAndIsAskedForNothingNeedsNoCloserLookForTenMinutes() {
        assertThat(lasting(described(aRunningDeployment()))).contains(Duration.ofMinutes(10));
    }

    @Test
    void theNextPeriodicSavepointIsWaitedFor() {
        var periodic =
                aNewResource("savepoint")
                        .withConfiguration("execution.checkpointing.savepoint-dir", "file:///s")
                        .withConfiguration(
                                "kubernetes.operator.periodic.savepoint.interval", "3 min")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        assertThat(lasting(described(periodic))).contains(Duration.ofMinutes(3));
    }

    @Test
    void aSavepointUnderWayIsLookedAt() {
        var asked = described(aSavingDeployment()).withNonce(SAVEPOINT, 7).decided();

        assertThat(lasting(asked)).isEmpty();
    }

    @Test
    void savepointsThatWillOnceBeTooOldAreLookedAt() {
        var two =
                described(aSavingDeployment())
                        .withSavepoint(7, "file:/s/1")
                        .withSavepoint(8, "file:/s/2");

        assertThat(two.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(lasting(two)).isEmpty();
    }

    @Test
    void aJobWhoseHealthIsWatchedIsLookedAt() {
        var watched =
                aNewResource()
                        .withConfiguration(Specs.HEALTH, "true")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        assertThat(lasting(described(watched))).isEmpty();
    }

    @Test
    void aJobThatIsOnItsWayIsLookedAt() {
        assertThat(lasting(aDeployment("stateless"))).isEmpty();
        assertThat(lasting(described(aRunningDeployment()).withJob(JobState.RUNNING, 1))).isEmpty();
    }

    @Test
    void aJobThatTheAutoscalerHasPlansForIsLookedAt() {
        var wanted =
                described(aRunningDeployment())
                        .withScaling(Map.of("v1", 2), new ScalingView.NotAsked());

        assertThat(lasting(wanted)).isEmpty();
    }

    @Test
    void aSessionClusterThatIsReadyNeedsNoCloserLookForTenMinutes() {
        var ready = described(aReadySessionCluster());

        assertThat(lasting(ready, Instant.EPOCH)).contains(Duration.ofMinutes(10));
        assertThat(lasting(ready.withTarget(aCluster(listing(JobState.RUNNING))), NOW))
                .contains(Duration.ofMinutes(10));
        assertThat(lasting(ready.withTarget(aCluster(listing(JobState.RUNNING))), Instant.EPOCH))
                .as("its job has changed since")
                .isEmpty();
    }

    @Test
    void aSessionClusterThatFellSilentNeedsNoCloserLookForTenMinutes() {
        var silent = described(aReadySessionCluster()).withTarget(silentCluster()).decided();

        assertThat(lasting(silent)).contains(Duration.ofMinutes(10));
    }

    @Test
    void aSessionClusterThatIsDeletedOrNotReadYetIsLookedAt() {
        assertThat(lasting(aNewSessionCluster())).isEmpty();
        assertThat(lasting(aReadySessionCluster())).as("its version is not known").isEmpty();
        assertThat(lasting(described(aReadySessionCluster()).deleted())).isEmpty();
    }

    @Test
    void aSessionJobIsLookedAt() {
        assertThat(lasting(aRunningSessionJob("stateless"))).isEmpty();
    }

    @Test
    void whatCouldNotBeReadLatelyIsReadFirst() {
        var unread = aRunningDeployment().withCluster(FACTS).decided();

        assertThat(UnchangedRule.of(unread.observed(), unread.decide().reason(), memory)).isEmpty();
        assertThat(lasting(aRunningDeployment())).as("its version is not known").isEmpty();
    }

    private static Snapshots described(Snapshots running) {
        return running.withCluster(FACTS).decided();
    }

    private static Target aCluster(Jobs jobs) {
        return new Target.SessionCluster(List.of(), jobs);
    }

    private Optional<Duration> lasting(Snapshots snapshots) {
        return lasting(snapshots, NOW);
    }

    private Optional<Duration> lasting(Snapshots snapshots, Instant looked) {
        ObservedState observed = snapshots.observed();
        memory.looked(observed.identity().uid(), looked, NOW);
        return UnchangedRule.of(observed, snapshots.decide().reason(), memory);
    }
}
