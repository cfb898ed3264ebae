// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.observe.ApacheResources.STANDS;
import static io.sluice.operator.observe.ApacheResources.deployment;
import static io.sluice.operator.observe.ApacheResources.left;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.system.Predecessor;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FlinkDeployments and clusters that the Apache operator left, in each state that it knows. */
class ApacheStatusMigrationTest {
    @ParameterizedTest
    @ValueSource(strings = {"steady", "flat"})
    void restartsNothing(String left) {
        var running = left(left, STANDS).withJobManagerOfTheirs().withJob(JobState.RUNNING, 2);

        assertThat(running.decide().actions()).isEmpty();
        // The savepoint that was under way is waited for.
        assertThat(running.decide().reason())
                .isEqualTo(left.equals("steady") ? Reason.SAVING_STATE : Reason.JOB_RUNNING);
        assertThat(running.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(running.decide().status().jobStatus().jobId()).contains(Predecessor.JOB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"steady", "flat"})
    void writesOneStatusAndIsAtRest(String left) {
        var taken =
                left(left, STANDS).withJobManagerOfTheirs().withJob(JobState.RUNNING, 2).decided();

        assertThat(taken.decide().status()).isEqualTo(taken.observed().status());
        assertThat(taken.observed().status().attempt().id()).contains(Predecessor.JOB);
    }

    @Test
    void keepsWhatItDoesNotKnowAPendingSavepointAmongIt() {
        ObjectNode stored = Predecessor.status("steady");
        var running = left("steady", STANDS).withJobManagerOfTheirs().withJob(JobState.RUNNING, 2);

        assertThat(
                        running.decide()
                                .status()
                                .onto(stored)
                                .at("/jobStatus/savepointInfo/triggerId")
                                .asText())
                .isEqualTo("8f1d0c9b8a7f6e5d4c3b2a1908f7e6d5");
    }

    @Test
    void upgradesItAsItsOwn() {
        var changed =
                left("steady", STANDS)
                        .withJobManagerOfTheirs()
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withImage("flink:1.20-new");

        assertThat(changed.decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
    }

    @Test
    void upgradesItInTheVeryFirstPassToo() {
        var changed =
                left("steady", STANDS)
                        .withJobManagerOfTheirs()
                        .withJob(JobState.RUNNING, 2)
                        .withImage("flink:1.20-new");

        assertThat(changed.decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
        assertThat(changed.decide().status().attempt().id()).contains(Predecessor.JOB);
    }

    @Test
    void recoversALostJobManagerFromMetadata() {
        var lost = left("steady", Optional.empty()).withNothingLeft().withRecovery();

        assertThat(plan(lost.decide()).from()).isEqualTo(new StartFrom.LastState());
        assertThat(plan(lost.decide()).jobId()).isEqualTo(Predecessor.JOB);
    }

    @Test
    void goesOnWithAnUpgradeWhoseSavepointOnlyTheOlderFieldNames() {
        var upgrading = left("upgrading", STANDS).withJobManagerOfTheirs();

        assertThat(upgrading.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(upgrading.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:/data/s/savepoint-2");
        assertThat(plan(upgrading.decided().withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.Savepoint("file:/data/s/savepoint-2"));
    }

    @Test
    void goesOnWithAnUpgradeByLastState() {
        var upgrading =
                left("upgrading-with-last-state", Optional.empty())
                        .withNothingLeft()
                        .withRecovery();

        assertThat(plan(upgrading.decide()).from()).isEqualTo(new StartFrom.LastState());
    }

    @Test
    void startsNothingAfreshWhereTheMetadataOfAnUpgradeIsGone() {
        var upgrading = left("upgrading-with-last-state", Optional.empty()).withNothingLeft();

        assertThat(upgrading.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
        assertThat(upgrading.decide().actions()).isEmpty();
    }

    @Test
    void removesNoClusterOfWhichOnlyItselfKnowsTheState() {
        var upgrading = left("upgrading-with-last-state", STANDS).withJobManagerOfTheirs();

        assertThat(upgrading.decide().actions())
                .doesNotHaveAnyElementsOfTypes(Action.DeleteCluster.class);
    }

    @Test
    void cancelsAClusterOfWhichOnlyItselfKnowsTheStateIfThatOutlivesIt() {
        var upgrading =
                left("upgrading-with-last-state", Optional.of(deployment("3")))
                        .withJobManagerOfTheirs();
        var running = upgrading.withJob(JobState.RUNNING, 2).withCheckpoint("file:/c/1");

        assertThat(running.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(running.withoutRetention().decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        assertThat(running.withRetention(new Retention.Unread("late")).decide().actions())
                .isEmpty();
        assertThat(upgrading.withJob(new JobView.NotListed()).decide().actions()).isEmpty();
    }

    @Test
    void doesNotRepeatTheirCancellationIfItWouldDeleteTheState() {
        var lost =
                left("cancelling", STANDS)
                        .withJobManagerOfTheirs()
                        .withJob(JobState.RUNNING, 2)
                        .withCheckpoint("file:/c/1");

        assertThat(lost.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        var saved = lost.withoutRetention();
        assertThat(saved.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        var stopped = saved.decided().withStop(new SavepointStatus.Completed("file:///s/1"));
        assertThat(stopped.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:///s/1");
    }

    @Test
    void asksAHumanWhereTheirCancellationWouldDeleteTheStateOfAJobThatDoesNotRun() {
        var restarting =
                left("cancelling", STANDS)
                        .withJobManagerOfTheirs()
                        .withJob(JobState.RESTARTING, 0)
                        .withoutRetention();

        assertThat(restarting.decide().reason()).isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
        assertThat(restarting.decide().actions()).isEmpty();
    }

    @Test
    void adoptsAClusterThatWasMadeAndNotRecorded() {
        var adopted =
                left("deployed-unrecorded", STANDS)
                        .withJobManagerOfTheirs()
                        .withJob(JobState.RUNNING, 2);

        assertThat(adopted.decide().actions()).isEmpty();
        assertThat(adopted.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(adopted.decided().decide().status())
                .isEqualTo(adopted.decided().observed().status());
    }

    @Test
    void makesTheClusterThatWasNotMadeYet() {
        var unmade = left("deployed-unrecorded", Optional.empty()).withNothingLeft();

        assertThat(plan(unmade.decide()).from())
                .isEqualTo(new StartFrom.Savepoint("file:/data/s/savepoint-2"));
    }

    @Test
    void watchesACancellationToItsEnd() {
        var cancelling =
                left("cancelling", STANDS)
                        .withJobManagerOfTheirs()
                        .withImage("flink:1.20-new")
                        .withJob(JobState.CANCELLING, 0);

        assertThat(cancelling.decide().actions()).hasOnlyElementsOfType(Action.CancelJob.class);
        assertThat(cancelling.decide().status().attempt().stop().orElseThrow().how())
                .isEqualTo(StopStatus.How.CANCEL);
        var cancelled =
                cancelling.withJob(JobState.CANCELED, 0).withCheckpoint("file:/data/c/chk-9");
        assertThat(cancelled.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(plan(cancelled.decided().withNothingLeft().decide()).from())
                .isEqualTo(new StartFrom.Savepoint("file:/data/c/chk-9"));
    }

    /** They keep it until the next job runs: it says nothing of a cluster that was made since. */
    @Test
    void doesNotTakeTheStartOfAFormerJobForOneOfTheClusterThatStands() {
        var start = FlinkDeploymentStatus.of(Predecessor.status("steady")).jobStatus().startTime();
        var since = start.orElseThrow();

        assertThat(startBeside(since.plusSeconds(600))).isEmpty();
        assertThat(startBeside(since.minusSeconds(5))).isEqualTo(start);
        // A clock may be late.
        assertThat(startBeside(since.plusSeconds(30))).isEqualTo(start);
    }

    private static Optional<Instant> startBeside(Instant created) {
        var made =
                new DeploymentBuilder(deployment("4"))
                        .editMetadata()
                        .withCreationTimestamp(created.truncatedTo(ChronoUnit.SECONDS).toString())
                        .endMetadata()
                        .build();
        return left("steady", Optional.of(made)).observed().status().jobStatus().startTime();
    }

    @Test
    void beginsAnAttemptOfTheirsWithoutTheStartOfTheOneBefore() {
        var unmade =
                left("rolling-back", Optional.empty())
                        .withImage("flink:bad")
                        .withNothingLeft()
                        .withRecovery();

        assertThat(unmade.observed().status().jobStatus().startTime()).isPresent();
        assertThat(unmade.decide().actions()).hasExactlyElementsOfTypes(Action.CreateCluster.class);
        assertThat(unmade.decide().status().jobStatus().startTime()).isEmpty();
    }

    @Test
    void removesTheirClusterWithItsResourceThoughTheyDidNotLiveToRecordIt() {
        var deleted = stored("first-deployment").withJobManagerOfTheirs();

        assertThat(deleted.withOwnJobManager().deleted().decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(deleted.deleted().decide().actions())
                .containsExactly(new Action.ReleaseUnbegun(Optional.of(Predecessor.JOB)));
        assertThat(stored("steady").withNothingLeft().deleted().decide().actions())
                .containsExactly(new Action.ReleaseResource());
        assertThat(stored("suspended").withNothingLeft().deleted().decide().actions())
                .containsExactly(new Action.ReleaseResource());
    }

    /** As the deletion reads it: without a translation. */
    private static Snapshots stored(String name) {
        return Snapshots.aNewResource()
                .withStatus(FlinkDeploymentStatus.of(Predecessor.status(name)))
                .withSpec(Predecessor.spec());
    }

    /** Their record of a job that they have never seen does not say since when. */
    @Test
    void asksAHumanIfTheJobManagerListsNoJobFiveMinutesAfterItWasTakenOver() {
        ObjectNode unseen = Predecessor.status("steady");
        unseen.withObject("/jobStatus")
                .put("state", "RECONCILING")
                .remove(List.of("startTime", "updateTime", "savepointInfo"));
        var taken =
                Snapshots.aNewResource()
                        .withStatus(ApacheStatusMigration.read(unseen, STANDS, Snapshots.NOW))
                        .withSpec(Predecessor.spec())
                        .withJobManagerOfTheirs()
                        .withJob(new JobView.NotListed());

        assertThat(taken.decide().reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);
        assertThat(taken.decided().later(Duration.ofMinutes(6)).decide().reason())
                .isEqualTo(Reason.JOB_NOT_FOUND);
    }

    @Test
    void beginsAFirstDeploymentThatNeverCameAbout() {
        var first = left("first-deployment", Optional.empty()).withNothingLeft();

        assertThat(first.decide().reason()).isEqualTo(Reason.DEPLOYMENT_STARTED);
        assertThat(plan(first.decide()).from()).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void adoptsAFirstDeploymentThatDid() {
        var first =
                left("first-deployment", STANDS)
                        .withJobManagerOfTheirs()
                        .withJob(JobState.RUNNING, 2);

        assertThat(first.decide().actions()).isEmpty();
        assertThat(first.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void finishesARollback() {
        var back =
                left("rolling-back", Optional.empty())
                        .withImage("flink:bad")
                        .withNothingLeft()
                        .withRecovery();

        assertThat(plan(back.decide()).spec().image()).contains("flink:1.20");
        assertThat(plan(back.decide()).from()).isEqualTo(new StartFrom.LastState());
        assertThat(back.decide().status().lifecycleState()).contains(LifecycleState.ROLLING_BACK);
    }

    @Test
    void leavesARolledBackJobAsItIsUntilItsSpecIsEdited() {
        var back =
                left("rolled-back", STANDS)
                        .withJobManagerOfTheirs()
                        .withImage("flink:bad")
                        .withJob(JobState.RUNNING, 2);

        assertThat(back.decide().actions()).isEmpty();
        assertThat(back.decide().reason()).isEqualTo(Reason.ROLLED_BACK);
        assertThat(back.decided().withImage("flink:mended").decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
    }

    @Test
    void removesASuspendedClusterAndResumesFromItsSavepoint() {
        var suspended =
                left("suspended", STANDS)
                        .withJobManagerOfTheirs()
                        .withState("suspended")
                        .withJobManagerOfTheirs();

        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDING);
        var resumed = suspended.decided().withNothingLeft().decided().withState("running");
        assertThat(plan(resumed.decide()).from())
                .isEqualTo(new StartFrom.Savepoint("file:/data/s/savepoint-2"));
    }

    @Test
    void readsTheLastCheckpointOfAFailedJobBeforeItsClusterGoes() {
        var failed = left("failed", STANDS).withJobManagerOfTheirs().withJob(JobState.FAILED, 0);

        assertThat(failed.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        var read = failed.withCheckpoint("file:/data/c/chk-9");
        assertThat(read.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:/data/c/chk-9");
        assertThat(read.decided().decide().status()).isEqualTo(read.decided().observed().status());
    }
}
