// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Decisions.stopRequest;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aStoppingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A changed spec, and a job that is stopped with a savepoint to take its state along. */
class StopWithSavepointTest {
    private static final SavepointStatus DONE = new SavepointStatus.Completed("file:/s/1");

    @Test
    void recordsTheStopItIsAboutToAskFor() {
        var decision = aRunningDeployment("savepoint").withImage("new").decide();

        var stop = decision.status().attempt().stop().orElseThrow();
        assertThat(stop.how()).isEqualTo(StopStatus.How.SAVEPOINT);
        assertThat(stop.triggerId()).matches("[0-9a-f]{32}");
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.StopWithSavepoint.class,
                        action ->
                                assertThat(action.request().triggerId())
                                        .isEqualTo(stop.triggerId()));
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.UPGRADING);
    }

    @Test
    void drainsAJobForAnUpgradeTooWhereItIsDrainedOnItsDeletion() {
        var drained =
                aRunningDeployment("savepoint")
                        .withConfiguration(
                                "kubernetes.operator.job.drain-on-savepoint-deletion", "true")
                        .decided();

        assertThat(drains(drained.withImage("new"))).isTrue();
        assertThat(drains(aRunningDeployment("savepoint").withImage("new"))).isFalse();
    }

    @Test
    void stopsAJobInTheWayThatItsConfigurationAsksFor() {
        var upgrading =
                aRunningDeployment("savepoint")
                        .withConfiguration(
                                "kubernetes.operator.job.drain-on-savepoint-deletion", "true")
                        .withConfiguration("kubernetes.operator.savepoint.format.type", "native")
                        .decided()
                        .withImage("new")
                        .decide();

        assertThat(stopRequest(upgrading).drain()).isTrue();
        assertThat(stopRequest(upgrading).format()).isEqualTo(SavepointFormat.NATIVE);
        var usual = aRunningDeployment("savepoint").withImage("new").decide();
        assertThat(stopRequest(usual).drain()).isFalse();
        assertThat(stopRequest(usual).format()).isEqualTo(SavepointFormat.CANONICAL);
    }

    @Test
    void asksAgainUnderTheSameNameUntilTheJobManagerKnowsOfIt() {
        var asked = aStoppingDeployment();

        var again = asked.withStop(new SavepointStatus.Unknown()).decide();

        assertThat(again.actions())
                .isEqualTo(aRunningDeployment("savepoint").withImage("new").decide().actions());
        assertThat(asked.withStop(new SavepointStatus.InProgress()).decide().actions()).isEmpty();
    }

    @Test
    void recordsThePathBeforeItRemovesTheCluster() {
        var decision = aStoppingDeployment().withStop(DONE).decide();

        assertThat(decision.status().jobStatus().upgradeSavepointPath()).contains("file:/s/1");
        assertThat(decision.status().attempt().stop()).isEmpty();
        assertThat(decision.actions()).containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void startsTheNextFromTheSavepointOnceNothingIsLeft() {
        var removed = aStoppingDeployment().withStop(DONE).decided().withNothingLeft();

        assertThat(startOf(removed.decide())).isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    @Test
    void takesTheSpecThatIsThereWhenTheJobHasEnded() {
        var decision =
                aStoppingDeployment()
                        .withImage("newest")
                        .withStop(DONE)
                        .decided()
                        .withNothingLeft();

        var plan = plan(decision.decide());
        assertThat(plan.spec().image()).contains("newest");
    }

    @Test
    void finishesAStopEvenIfTheSpecIsAsBefore() {
        var reverted = aStoppingDeployment().withImage("flink:1.20").withStop(DONE);

        assertThat(reverted.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void doesNotTrustAJobThatTheJobManagerBeganAnew() {
        var anew = aStoppingDeployment().withJobOfAnotherRun(JobState.RUNNING, 2).withStop(DONE);

        assertThat(anew.decide().reason()).isEqualTo(Reason.STATE_IN_DOUBT);
        assertThat(anew.decide().actions()).isEmpty();
    }

    /** Flink forgets the result of a savepoint after five minutes. */
    @Test
    void asksAHumanWhereNobodyKnowsWhatBecameOfTheSavepointOfAJobWithoutCheckpoints() {
        var forgotten = forgotten(aStoppingDeployment());

        assertThat(forgotten.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(forgotten.decide().actions()).isEmpty();
        assertThat(forgotten.withState("suspended").decided().observed().status().jobStatus())
                .extracting(JobStatus::upgradeSavepointPath)
                .isEqualTo(Optional.of(StateOptions.LAST_STATE));
    }

    /** It lists savepoints with them. */
    @Test
    void believesAJobManagerThatListsNoSavepointOfAJobWithCheckpoints() {
        var checkpointing =
                aRunningDeployment("savepoint")
                        .withConfiguration("execution.checkpointing.interval", "1 min")
                        .decided()
                        .withUpgradeDone()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withImage("new")
                        .decided();

        assertThat(forgotten(checkpointing).decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    private static Snapshots forgotten(Snapshots stopping) {
        return stopping.withJob(JobState.FINISHED, 0)
                .withStop(new SavepointStatus.Unknown())
                .withLast(new LastCheckpoints.Known(Checkpoints.NONE));
    }

    private static boolean drains(Snapshots changed) {
        return changed.decide().actions().stream()
                .map(Action.StopWithSavepoint.class::cast)
                .anyMatch(action -> action.request().drain());
    }
}
