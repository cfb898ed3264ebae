// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A job that is started from the state that its user names, and what undoes that. */
class RedeploymentTest {
    private static final String OLD = "file:/months-ago";
    private static final String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";

    @Test
    void redeploysFromTheSavepointTheUserNames() {
        var spec = Specs.application("flink:1.20", "savepoint");
        spec.withObject("/job")
                .put("initialSavepointPath", "s3://b/old")
                .put("savepointRedeployNonce", 1);

        var decision = aRunningDeployment("savepoint").withSpec(spec);

        assertThat(decision.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(startOf(decision.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("s3://b/old"));
    }

    @Test
    void obeysAHumanWhoAsksForAnEmptyStart() {
        var lost = aRunningDeployment("savepoint").withNothingLeft();
        var fresh = Specs.application("new", "stateless");

        assertThat(startOf(lost.withSpec(fresh).decide())).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void doesNotRedeployTheSpecThatARollbackHasDeployed() {
        var rolledBack = rollingBack().decided();
        assertThat(rolledBack.observed().status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.ROLLED_BACK);

        var reverted = rolledBack.withSpec(former());

        assertThat(reverted.decide().actions()).isEmpty();
        assertThat(reverted.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(reverted.decided().decide().actions()).isEmpty();
    }

    @Test
    void goesOnWithARollbackOfARedeploymentWhenTheUserAsksForTheSpecItDeploys() {
        var started = failedRedeployment().decided().withNothingLeft();
        assertThat(started.observed().status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.ROLLING_BACK);

        var reverted = started.withSpec(former());

        assertThat(startOf(reverted.decide())).isEqualTo(new StartFrom.Savepoint("file:/s/b"));
        var running = reverted.decided().withJobManager(true).withJob(JobState.RUNNING, 2);
        assertThat(running.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(running.decide().status().attempt().rolledBack()).isFalse();
    }

    @Test
    void keepsTheLastStateOfTheJobThatARedeploymentReplacesOnRecordUntilTheNewOneRuns() {
        var redeployed = running().withCheckpointSeen("file:/c/9").withSpec(latter()).decided();

        var replaced = redeployed.observed().status().attempt().replaced().orElseThrow();
        assertThat(replaced.jobId())
                .isEqualTo(running().observed().status().jobStatus().jobId().orElseThrow());
        assertThat(replaced.lastCheckpoint().orElseThrow().path()).isEqualTo("file:/c/9");

        var creating = redeployed.withNothingLeft();
        assertThat(plan(creating.decide()))
                .satisfies(plan -> assertThat(plan.replacedJob()).contains(replaced.jobId()));
        var proven = creating.decided().withJobManager(true).withJob(JobState.RUNNING, 2).decided();
        assertThat(proven.observed().status().attempt().replaced()).isEmpty();
    }

    @Test
    void goesOnWithTheJobBeforeARedeploymentThatIsUndone() {
        var before = aHighlyAvailableDeployment();
        String job = before.observed().status().jobStatus().jobId().orElseThrow();
        ObjectNode spec = Specs.highlyAvailable(Specs.application("flink:1.20", "last-state"));
        var undone =
                before.withSpec(Specs.redeployed(spec, OLD, 1))
                        .decided()
                        .withJobManager(false)
                        .withSpec(spec.deepCopy());
        // To no nonce at all is no redeployment: back to another one is.
        var stable = running(Specs.redeployed(spec, OLD, 1)).withRecovery();
        String stableJob = stable.observed().status().jobStatus().jobId().orElseThrow();
        var reverted =
                stable.withSpec(Specs.redeployed(Specs.withImage(spec, "new"), "file:/b", 2))
                        .decided()
                        .withNothingLeft()
                        .withRecoveryOf(stableJob)
                        .withSpec(Specs.redeployed(spec, OLD, 1));

        assertThat(undone.decide().actions()).noneMatch(Action.CreateCluster.class::isInstance);
        assertThat(startOf(reverted.decide())).isEqualTo(new StartFrom.LastState());
        assertThat(reverted.decide().status().jobStatus().jobId()).contains(stableJob);
        assertThat(reverted.decide().notes())
                .filteredOn(event -> event.reason().equals("SpecChanged"))
                .singleElement()
                .satisfies(event -> assertThat(event.message()).contains("is undone"));
        assertThat(job).isNotEmpty();
    }

    @Test
    void asksAHumanWhereTheStateBeforeARedeploymentThatIsUndoneIsOnlyAHint() {
        var reverted = redeployed().withSpec(former());

        assertThat(reverted.decide().reason()).isEqualTo(Reason.REDEPLOYMENT_REVERTED);
        assertThat(reverted.decide().detail()).contains("file:/c/9");
    }

    @Test
    void doesNotStartFromAPathOfMonthsAgoWhereMoreThanARedeploymentIsUndone() {
        var reverted = redeployed().withSpec(Specs.withImage(former(), "another"));

        assertThat(reverted.decide().reason()).isEqualTo(Reason.REDEPLOYMENT_REVERTED);
        assertThat(startOf(reverted.decide())).isEqualTo(new StartFrom.Savepoint("file:/s/b"));
        assertThat(reverted.decide().detail()).contains("file:/c/9");
    }

    @Test
    void doesNotStartFromThePathOfMonthsAgoOnceTheJobOfAnUndoneRedeploymentRuns() {
        var running = undoneBeforeItWasSeenToRun().decided();

        assertThat(running.observed().status().reconciliationStatus().isStable()).isTrue();
        assertThat(running.decide().reason()).isEqualTo(Reason.REDEPLOYMENT_REVERTED);
        assertThat(running.decide().actions()).isEmpty();
        assertThat(running.withNothingLeft().decide().actions())
                .noneMatch(Action.CreateCluster.class::isInstance);
    }

    @Test
    void forgetsTheJobBeforeARedeploymentOnceItsUndoingIsTakenBack() {
        var takenBack = undoneBeforeItWasSeenToRun().decided().withSpec(latter()).decided();

        assertThat(takenBack.observed().status().attempt().replaced()).isEmpty();
        assertThat(takenBack.withSpec(former()).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void replacesTheJobThatRanByTheNextRedeploymentThoughItWasToBeUndone() {
        var running = undoneBeforeItWasSeenToRun().withCheckpointSeen("file:/c/12").decided();

        var again = running.withSpec(Specs.redeployed(latter(), "file:/s/d", 3)).decided();

        var replaced = again.observed().status().attempt().replaced().orElseThrow();
        assertThat(replaced.lastCheckpoint().orElseThrow().path()).isEqualTo("file:/c/12");
        assertThat(replaced.redeployNonce()).contains(2L);
    }

    /** It was never seen to be stable, and has made a savepoint all the same. */
    @Test
    void takesTheJobOfARedeploymentForTheOneThatTheNextReplacesOnceItHasMadeState() {
        var saved =
                running()
                        .withSpec(latter())
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .withSpec(Specs.withImage(latter(), "mended"))
                        .decided()
                        .withStop(new SavepointStatus.Completed("file:/s/c"))
                        .decided();
        var again = saved.withSpec(Specs.redeployed(latter(), "file:/s/d", 3)).decided();

        assertThat(saved.observed().status().jobStatus().upgradeSavepointPath())
                .contains("file:/s/c");
        var replaced = again.observed().status().attempt().replaced().orElseThrow();
        assertThat(replaced.lastCheckpoint().orElseThrow().path()).isEqualTo("file:/s/c");
        assertThat(replaced.redeployNonce()).contains(2L);
    }

    /** It has run for months since it was started from {@link #OLD}. */
    private static Snapshots running() {
        return running(former());
    }

    private static Snapshots running(ObjectNode spec) {
        return aNewResource("savepoint")
                .withSpec(spec)
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2)
                .decided();
    }

    /** Its former cluster is gone, and the one from the named savepoint is yet to be created. */
    private static Snapshots redeployed() {
        return running()
                .withCheckpointSeen("file:/c/9")
                .withSpec(latter())
                .decided()
                .withNothingLeft();
    }

    /** The user goes back just before the job from the named savepoint is seen to run. */
    private static Snapshots undoneBeforeItWasSeenToRun() {
        return redeployed()
                .decided()
                .withJobManager(true)
                .withSpec(former())
                .withJob(JobState.RUNNING, 2);
    }

    private static ObjectNode former() {
        return Specs.asking(
                Specs.redeployed(Specs.application("flink:1.20", "savepoint"), OLD, 1), ROLLBACK);
    }

    private static ObjectNode latter() {
        return Specs.redeployed(Specs.withImage(former(), "flink:bad"), "file:/s/b", 2);
    }

    /** What was redeployed never comes up, and makes way for the spec before. */
    private static Snapshots failedRedeployment() {
        return running()
                .withSpec(latter())
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(false)
                .withJob(new JobView.NotAsked())
                .decided()
                .later(Duration.ofMinutes(6));
    }

    private static Snapshots rollingBack() {
        return failedRedeployment()
                .decided()
                .withNothingLeft()
                .decided()
                .withJobManager(true)
                .withJob(JobState.RUNNING, 2);
    }
}
