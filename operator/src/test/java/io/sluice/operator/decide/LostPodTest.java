// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A pod of the cluster whose end nobody would confirm, and an edit. */
class LostPodTest {
    private static final String POD = "Pod 'orders-taskmanager-1-1' is on node 'n1'";

    @Test
    void anUpgradeThatCouldNotConfirmTheRemovalLeavesTheJobRunning() {
        for (Snapshots running :
                List.of(
                        aRunningDeployment("savepoint"),
                        aRunningDeployment("last-state"),
                        aRunningDeployment("stateless"),
                        aHighlyAvailableDeployment())) {
            var decision = running.withObstacle(POD).withImage("new").decide();

            assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_LOST_POD);
            assertThat(decision.actions()).isEmpty();
            assertThat(decision.status().attempt().stop()).isEmpty();
            assertThat(decision.status().jobStatus().state()).contains(JobState.RUNNING);
            assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
            assertThat(decision.detail()).isEqualTo(POD);
            assertThat(decision.notes())
                    .extracting(ResourceEvent::reason)
                    .contains("WaitingForLostPod");
        }
    }

    @Test
    void itGoesOnByItselfOnceThePodIsGone() {
        var waiting = aRunningDeployment("savepoint").withObstacle(POD).withImage("new").decided();

        var gone = waiting.withJobManager(true).withJob(JobState.RUNNING, 2);

        assertThat(gone.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void nothingIsWrittenWhileItWaits() {
        var waiting = aRunningDeployment("savepoint").withObstacle(POD).withImage("new").decided();

        assertThat(waiting.later(Duration.ofMinutes(5)).decide().status())
                .isEqualTo(waiting.observed().status());
    }

    @Test
    void aRedeploymentFromANamedSavepointWaitsToo() {
        var redeployed =
                aRunningDeployment("savepoint")
                        .withObstacle(POD)
                        .withSpec(
                                Specs.redeployed(
                                        Specs.application("flink:1.20", "savepoint"),
                                        "s3://s/9",
                                        1));

        assertThat(redeployed.decide().reason()).isEqualTo(Reason.WAITING_FOR_LOST_POD);
        assertThat(redeployed.decide().actions()).isEmpty();
    }

    @Test
    void aSuspensionIsCarriedOutAsItIsWanted() {
        var suspended =
                aRunningDeployment("savepoint").withObstacle(POD).withState("suspended").decide();

        assertThat(suspended.actions()).hasOnlyElementsOfType(Action.StopWithSavepoint.class);
    }

    @Test
    void aJobThatDoesNotRunIsUpgradedAsBefore() {
        var restarting =
                aHighlyAvailableDeployment()
                        .withJob(JobState.RESTARTING, 0)
                        .withObstacle(POD)
                        .withImage("new")
                        .decide();

        assertThat(restarting.reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void aStopThatIsUnderWayGoesOn() {
        var stopping = aRunningDeployment("savepoint").withImage("new").decided();

        var decision =
                stopping.withObstacle(POD)
                        .withStop(new SavepointStatus.Completed("file:/s/1"))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void anEditThatRestartsNothingIsTakenUp() {
        var edited =
                aRunningDeployment("savepoint")
                        .withObstacle(POD)
                        .withConfiguration("kubernetes.operator.periodic.savepoint.interval", "1 h")
                        .decide();

        assertThat(edited.reason()).isNotEqualTo(Reason.WAITING_FOR_LOST_POD);
    }
}
