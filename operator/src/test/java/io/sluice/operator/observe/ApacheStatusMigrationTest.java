// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobState;
import io.sluice.api.LifecycleState;
import io.sluice.api.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.manifest.ClusterPlan;
import io.sluice.operator.manifest.ManifestRenderer;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.Target;
import io.sluice.operator.system.Predecessor;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources and clusters that the Apache operator left, in each state it may have left them in. */
class ApacheStatusMigrationTest {
    private static final Optional<Deployment> STANDS = Optional.of(deployment("4"));

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

        assertThat(upgrading.decide().reason()).isEqualTo(Reason.STATE_LOST);
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

    @ParameterizedTest
    @ValueSource(strings = {"CANCELLING", "CANCELED"})
    void goesOnFromTheLastCheckpointOfASessionJobThatWasBeingCancelled(String state) {
        var ended =
                leftSessionJob("savepoint", state)
                        .withJob(JobState.CANCELED, 0)
                        .withCheckpoint("s3://c/chk-7")
                        .decided();

        assertThat(ended.observed().status().jobStatus().upgradeSavepointPath())
                .contains("s3://c/chk-7");
    }

    @Test
    void startsAStatelessSessionJobThatWasBeingCancelledAnew() {
        var ended = leftSessionJob("stateless", "CANCELED").withJob(JobState.CANCELED, 0);

        assertThat(ended.decide().reason()).isEqualTo(Reason.JOB_SUBMITTING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"session-cluster-steady", "session-cluster-flat"})
    void leavesASessionClusterThatIsReadyAlone(String left) {
        var ready =
                left(left, STANDS)
                        .withTarget(SessionSnapshots.withGuest(true, JobState.RUNNING))
                        .withSpec(Predecessor.sessionCluster())
                        .withJobManagerOfTheirs();

        assertThat(ready.decide().actions()).isEmpty();
        assertThat(ready.decide().reason()).isEqualTo(Reason.SESSION_CLUSTER_READY);
        assertThat(ready.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(ready.decided().decide().status())
                .isEqualTo(ready.decided().observed().status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"session-job-steady", "session-job-flat"})
    void leavesASessionJobThatRunsAlone(String left) {
        var running = leftOnCluster(left, seen(JobState.RUNNING));

        assertThat(running.decide().actions()).isEmpty();
        assertThat(running.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(running.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(running.decide().status().jobStatus().jobId()).contains(Predecessor.JOB);
        assertThat(running.decided().decide().status())
                .isEqualTo(running.decided().observed().status());
    }

    @Test
    void upgradesASessionJobAsItsOwn() {
        var changed =
                leftOnCluster("session-job-steady", seen(JobState.RUNNING)).withRestartNonce(7);

        assertThat(changed.decide().actions())
                .hasOnlyElementsOfType(Action.StopWithSavepoint.class);
    }

    @Test
    void resumesASuspendedSessionJobFromItsSavepoint() {
        var suspended =
                leftOnCluster("session-job-suspended", seen(JobState.FINISHED))
                        .withState("suspended");
        assertThat(suspended.decide().actions()).isEmpty();
        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(suspended.decide().status().lifecycleState()).contains(LifecycleState.SUSPENDED);

        var resumed = suspended.decided().withState("running");

        assertThat(resumed.decide().status().jobStatus().upgradeSavepointPath())
                .contains("file:/data/s/savepoint-2");
        assertThat(resumed.decide().status().jobStatus().jobId())
                .isPresent()
                .isNotEqualTo(Optional.of(Predecessor.JOB));
    }

    @Test
    void goesOnWithASessionJobsUpgradeWhoseSavepointOnlyTheOlderFieldNames() {
        var next = leftOnCluster("session-job-upgrading", seen(JobState.FINISHED)).decide();

        assertThat(next.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(next.status().jobStatus().upgradeSavepointPath())
                .contains("file:/data/s/savepoint-2");
        assertThat(next.status().jobStatus().jobId()).isNotEqualTo(Optional.of(Predecessor.JOB));
    }

    @Test
    void adoptsASessionJobThatWasSubmittedAndNotRecorded() {
        var adopted = leftOnCluster("session-job-submitted-unrecorded", seen(JobState.RUNNING));

        assertThat(adopted.decide().actions()).isEmpty();
        assertThat(adopted.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(adopted.decide().status().jobStatus().jobId()).contains(Predecessor.JOB);
        assertThat(adopted.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void submitsASessionJobThatWasNotFromItsSavepoint() {
        var submitted =
                leftOnCluster("session-job-submitted-unrecorded", new JobView.NotListed()).decide();

        assertThat(submitted.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(submitted.status().jobStatus().upgradeSavepointPath())
                .contains("file:/data/s/savepoint-2");
    }

    /** It may have been submitted, and then it runs. */
    @Test
    void submitsNoSessionJobWhileItsClusterDoesNotSayWhetherItRuns() {
        var silent =
                leftOnCluster(
                        "session-job-submitted-unrecorded", new JobView.Unreachable("timed out"));
        assertThat(silent.decide().reason()).isEqualTo(Reason.SESSION_CLUSTER_UNREACHABLE);
        assertThat(silent.decide().actions()).isEmpty();

        var starting =
                leftOnCluster("session-job-submitted-unrecorded", new JobView.NotAsked())
                        .withTarget(
                                SessionSnapshots.on(
                                        SessionSnapshots.host(
                                                Target.SessionClusterView.State.NOT_READY, false)));
        assertThat(starting.decide().reason()).isEqualTo(Reason.WAITING_FOR_SESSION_CLUSTER);
        assertThat(AttemptHistory.isUnrecorded(starting.decided().observed().status())).isTrue();
        assertThat(AttemptHistory.isUnrecorded(silent.decided().observed().status())).isTrue();
    }

    @Test
    void letsNoDeletedSessionJobGoWhileItsClusterDoesNotSayWhetherItRuns() {
        Snapshots silent =
                leftOnCluster(
                                "session-job-submitted-unrecorded",
                                new JobView.Unreachable("timed out"))
                        .deleted();
        assertThat(silent.decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(silent.decided().withJob(seen(JobState.RUNNING)).decide().actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);

        Decision givenUp = silent.decided().later(Duration.ofMinutes(6)).decide();

        assertThat(givenUp.reason()).isEqualTo(Reason.DELETED);
        assertThat(givenUp.notes()).extracting(ResourceEvent::reason).contains("CleanupFailed");
    }

    @Test
    void beginsAFirstSubmissionThatNeverCameAboutFromTheSavepointThatTheSpecNames() {
        ObjectNode spec = Predecessor.sessionJob();
        spec.withObject("/job").put("initialSavepointPath", "file:/data/s/savepoint-0");
        var first =
                leftOnCluster("session-job-first-submission", new JobView.NotListed())
                        .withSpec(spec)
                        .decide();

        assertThat(first.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(first.status().jobStatus().upgradeSavepointPath())
                .contains("file:/data/s/savepoint-0");
    }

    private static JobView seen(JobState state) {
        return new JobView.Seen(state, SessionSnapshots.overview(Predecessor.JOB, state));
    }

    private static Snapshots leftOnCluster(String name, JobView job) {
        ObjectNode stored = Predecessor.status(name);
        return SessionSnapshots.aNewSessionJob("savepoint")
                .withStatus(
                        ApacheStatusMigration.asked(
                                ApacheStatusMigration.readHosted(
                                        FlinkDeploymentStatus.of(stored), stored, Snapshots.NOW),
                                job))
                .withSpec(Predecessor.sessionJob())
                .withJob(job);
    }

    private static Snapshots leftSessionJob(String upgradeMode, String state) {
        Snapshots running = SessionSnapshots.aRunningSessionJob(upgradeMode);
        ObjectNode stored = JsonNodeFactory.instance.objectNode();
        stored.putObject("jobStatus").put("jobId", SessionSnapshots.JOB).put("state", state);
        stored.putObject("reconciliationStatus")
                .put("state", "UPGRADING")
                .put("reconciliationTimestamp", 1)
                .put(
                        "lastReconciledSpec",
                        running.observed()
                                .status()
                                .reconciliationStatus()
                                .lastReconciledSpec()
                                .orElseThrow());
        return running.withStatus(
                ApacheStatusMigration.readHosted(
                        FlinkDeploymentStatus.of(stored), stored, Snapshots.NOW));
    }

    private static Snapshots left(String name, Optional<Deployment> jobManager) {
        FlinkDeploymentStatus status =
                ApacheStatusMigration.read(Predecessor.status(name), jobManager, Snapshots.NOW);
        return Snapshots.aNewResource().withStatus(status).withSpec(Predecessor.spec());
    }

    private static Deployment deployment(String generation) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .addToAnnotations(ManifestRenderer.GENERATION_ANNOTATION, generation)
                .endMetadata()
                .build();
    }

    private static ClusterPlan plan(Decision decision) {
        return ((Action.CreateCluster) decision.actions().getFirst()).plan();
    }
}
