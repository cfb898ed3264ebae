// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.api.spec.StateKind.CHECKPOINT;
import static io.sluice.api.spec.StateKind.SAVEPOINT;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of a savepoint or a checkpoint that is asked for while a spec is changed. */
class TriggersDuringUpgradeTest {
    private static final AsyncResult DONE = new AsyncResult.Done(Optional.of("file:/s/1"));

    @Test
    void neverAsksOfAJobThatIsBeingStopped() {
        var decision =
                aSavingDeployment().withImage("new").decided().withNonce(SAVEPOINT, 7).decide();

        assertThat(decision.actions()).hasOnlyElementsOfType(Action.StopWithSavepoint.class);
    }

    @Test
    void holdsAnUpgradeUpUntilTheSavepointIsMade() {
        var waiting =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Pending())
                        .withImage("new");

        assertThat(waiting.decide().reason()).isEqualTo(Reason.WAITING_FOR_SAVEPOINT);
        assertThat(waiting.decide().actions()).isEmpty();
        var made = waiting.withAnswer(SAVEPOINT, DONE).decided();
        assertThat(made.savepoints().history()).hasSize(1);
        assertThat(made.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void holdsUpNoUpgradeWhereTheUserDoesNotWaitForIt() {
        var asked =
                aSavingDeployment()
                        .withConfiguration(
                                "kubernetes.operator.job.upgrade.ignore-pending-savepoint", "true")
                        .decided()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Pending())
                        .withImage("new");

        assertThat(asked.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void holdsUpNoUpgradeThatHasAskedForTheEndOfTheJobAlready() {
        var leaving =
                Snapshots.aNewResource("last-state")
                        .withConfiguration("execution.checkpointing.savepoint-dir", "file:///s")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Pending())
                        .withJob(JobState.RESTARTING, 0)
                        .decided()
                        .withImage("new")
                        .decided();
        assertThat(leaving.observed().status().attempt().stop()).isPresent();

        var upAgain = leaving.withJob(JobState.RUNNING, 2).withCheckpoint("file:/c/1");

        assertThat(upAgain.decide().reason()).isEqualTo(Reason.JOB_CANCELLING);
    }

    @Test
    void keepsANonceUndoneThroughAnUpgrade() {
        var upgraded =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .withImage("new")
                        .decided()
                        .withStop(new SavepointStatus.Completed("file:/s/u"))
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        assertThat(upgraded.savepoints().trigger().flatMap(StateTrigger::nonce)).contains(7L);
        assertThat(upgraded.savepoints().history())
                .singleElement()
                .satisfies(state -> assertThat(state.type()).isEqualTo(TriggerType.UPGRADE))
                .satisfies(state -> assertThat(state.location()).contains("file:/s/u"));
    }

    @Test
    void takesNoSpecForStableBecauseANonceIsAnsweredWhileItIsTakenUp() {
        var asked = aSavingDeployment().withNonce(CHECKPOINT, 1).decided();
        var stable = asked.observed().status().reconciliationStatus().lastStableSpec();

        var upgraded =
                asked.withImage("new")
                        .decided()
                        .withAnswer(CHECKPOINT, new AsyncResult.Done(Optional.empty()))
                        .withStop(new SavepointStatus.Completed("file:/s/u"))
                        .decided();

        var reconciliation = upgraded.observed().status().reconciliationStatus();
        assertThat(upgraded.decide().reason()).isEqualTo(Reason.WAITING_FOR_REMOVAL);
        assertThat(image(reconciliation.lastReconciledSpec())).contains("new");
        assertThat(image(reconciliation.lastStableSpec())).isEqualTo(image(stable)).isPresent();
    }

    private static Optional<String> image(Optional<String> encoded) {
        return encoded.flatMap(ReconciledSpec::decode).map(it -> it.spec().path("image").asText());
    }
}
