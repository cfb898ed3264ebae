// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.SessionSnapshots.JOB;
import static io.sluice.operator.decide.SessionSnapshots.aNewSessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.aSessionClusterWithAStatefulJob;
import static io.sluice.operator.decide.SessionSnapshots.listing;
import static io.sluice.operator.decide.SessionSnapshots.sessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.withGuest;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.model.Target.SessionJobView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionClusterGuardTest {
    @Test
    void isCreatedWithoutAJob() {
        Decision decision = aNewSessionCluster().decide();

        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.CreateCluster.class,
                        create -> assertThat(create.plan().spec().job()).isEmpty());
        assertThat(decision.status().jobStatus()).isEqualTo(JobStatus.EMPTY);
    }

    @Test
    void isStableOnceItsRestApiAnswers() {
        Snapshots waiting =
                aNewSessionCluster()
                        .decided()
                        .withJobManager(true)
                        .withTarget(SessionSnapshots.silentCluster());
        assertThat(waiting.decide().reason()).isEqualTo(Reason.WAITING_FOR_REST);

        Decision ready = aReadySessionCluster().decide();

        assertThat(ready.status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(ready.status().jobStatus()).isEqualTo(JobStatus.EMPTY);
        assertThat(ready.status().condition("Running").orElseThrow().reason())
                .isEqualTo("JobManagerReady");
    }

    @Test
    void tellsWhatKeepsItsTaskManagersFromRunningAndTakesJobsAllTheSame() {
        Decision decision =
                aReadySessionCluster()
                        .withPodProblem("FailedCreate", "TaskManagers: exceeded quota")
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.POD_PROBLEM);
        assertThat(decision.detail()).isEqualTo("FailedCreate: TaskManagers: exceeded quota");
        assertThat(decision.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("FailedCreate");
        assertThat(decision.status().jobManagerDeploymentStatus())
                .isEqualTo(JobManagerDeploymentState.READY);
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void itsStatusTellsWhatItRunsAndHowMuchOfItThereIs() {
        var facts =
                new ClusterFacts(
                        Optional.of(new ClusterConfig("1.20.5", "e1d9c1e")), Optional.of(2));

        assertThat(aReadySessionCluster().withCluster(facts).decide().status().clusterInfo())
                .containsEntry("flink-version", "1.20.5")
                .containsEntry("flink-revision", "e1d9c1e")
                .containsKeys("total-cpu", "total-memory");
    }

    @Test
    void isReplacedAtOnceIfNoJobLosesStateByThat() {
        goes(aReadySessionCluster().withImage("new"));
        goes(
                aReadySessionCluster()
                        .withTarget(withGuest(false, JobState.RUNNING))
                        .withImage("new"));
        goes(
                aReadySessionCluster()
                        .withTarget(withGuest(true, JobState.FINISHED))
                        .withImage("new"));
    }

    /** What a session job has on record by then is seen before anything is deleted. */
    @Test
    void goesInThePassAfterTheOneThatPutsItOnRecord() {
        Decision announced = aReadySessionCluster().withImage("new").decide();

        assertThat(announced.reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(announced.status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.UPGRADING);
        assertThat(announced.actions()).isEmpty();
        assertThat(announced.checkAgain().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void waitsUntilItsJobsHaveTakenTheirStateAlong() {
        Decision decision = aSessionClusterWithAStatefulJob().withImage("new").decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.detail()).contains("report");
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void takesSilenceForNoEndOfAJob() {
        var silent =
                new Target.SessionCluster(
                        List.of(new SessionJobView("report", Optional.of(JOB), true, false)),
                        new Jobs.Silent("timed out"));

        assertThat(aReadySessionCluster().withTarget(silent).withImage("new").decide().reason())
                .isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
    }

    @Test
    void leavesItsJobsToHighAvailability() {
        ObjectNode spec = Specs.highlyAvailable(sessionCluster());

        Snapshots changed =
                aReadySessionCluster(spec)
                        .withTarget(withGuest(true, JobState.RUNNING))
                        .withImage("new");

        goes(changed);
    }

    @Test
    void leavesItsJobsToZooKeeperIfTheirMetadataAreFoundThere() {
        ObjectNode spec = Specs.inZooKeeper(sessionCluster());
        Snapshots running =
                aReadySessionCluster(spec).withTarget(withGuest(true, JobState.RUNNING));

        goes(running.withImage("new"));
        assertThat(
                        Stream.of(
                                        Specs.configured(
                                                spec,
                                                "high-availability.zookeeper.path.root",
                                                "/elsewhere"),
                                        Specs.highlyAvailable(sessionCluster()))
                                .map(running::withSpec)
                                .map(Snapshots::decide))
                .extracting(Decision::reason)
                .containsOnly(Reason.WAITING_FOR_SESSION_JOBS);
    }

    /** The ConfigMaps are left from a time before the cluster used ZooKeeper. */
    @Test
    void asksAHumanAfterALongSilenceOfAClusterInZooKeeper() {
        Snapshots silent =
                aReadySessionCluster(Specs.inZooKeeper(sessionCluster()))
                        .withImage("new")
                        .withRecoveryOf(JOB)
                        .withTarget(silentForLong(anEndingGuest(true)));

        assertThat(silent.decide().reason()).isEqualTo(Reason.SESSION_CLUSTER_SILENT);
    }

    /** Flink has deleted its metadata, and only this JobManager knows of its last checkpoint. */
    @ParameterizedTest
    @EnumSource(JobState.class)
    void waitsForAJobThatIsBeingStoppedWithHighAvailabilityToo(JobState state) {
        Snapshots changed =
                aHighlyAvailableSessionCluster()
                        .withTarget(with(anEndingGuest(true), listing(state)))
                        .withImage("new");

        Decision decision = changed.decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.detail()).isEqualTo("Waiting for FlinkSessionJob report.");
        assertThat(decision.status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.DEPLOYED);
        assertThat(decision.actions()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waitsUntilAnEndIsOnRecordWhateverTheJobKeeps(boolean keepsState) {
        var ended =
                with(
                        new SessionJobView("report", Optional.of(JOB), keepsState, false),
                        listing(JobState.FINISHED));

        assertThat(
                        Stream.of(aReadySessionCluster(), aHighlyAvailableSessionCluster())
                                .map(cluster -> cluster.withTarget(ended).withImage("new").decide())
                                .map(Decision::reason))
                .containsOnly(Reason.WAITING_FOR_SESSION_JOBS);
    }

    @Test
    void waitsForNoStopOfAJobThatItsJobManagerDoesNotKnow() {
        goes(
                aHighlyAvailableSessionCluster()
                        .withTarget(with(anEndingGuest(true), new Jobs.Listed(List.of())))
                        .withImage("new"));
    }

    @Test
    void waitsForAJobThatBeganToEndBeforeItsReplacementWasOnRecord() {
        Snapshots announced =
                aHighlyAvailableSessionCluster()
                        .withTarget(withGuest(true, JobState.RUNNING))
                        .withImage("new")
                        .decided();
        Snapshots ending =
                announced.withTarget(with(anEndingGuest(true), listing(JobState.CANCELED)));

        Decision decision = ending.decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().jobManagerDeploymentStatus())
                .isEqualTo(JobManagerDeploymentState.READY);
        assertThat(
                        ending.decided()
                                .withTarget(withGuest(true, JobState.CANCELED))
                                .decide()
                                .actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
    }

    @Test
    void takesAPodThatIsNotReadyAnyMoreForNoEndOfItsJobs() {
        var unasked =
                with(
                        new SessionJobView("report", Optional.of(JOB), true, false),
                        new Jobs.NotAsked());

        Decision decision =
                aReadySessionCluster()
                        .withJobManagerDown()
                        .withTarget(unasked)
                        .withImage("new")
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.detail()).contains("does not answer");
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void isReplacedIfItsJobManagerCanNotRunOrNeverDid() {
        var unasked =
                with(
                        new SessionJobView("report", Optional.of(JOB), true, false),
                        new Jobs.NotAsked());

        goes(
                aReadySessionCluster()
                        .withJobManagerDown()
                        .withPodProblem("CrashLoopBackOff", "exit code 1")
                        .withTarget(unasked)
                        .withImage("new"));
        goes(aReadySessionCluster().withJobManager(false).withTarget(unasked).withImage("new"));
    }

    @Test
    void staysWhileAPodOfItCouldNotBeConfirmedGone() {
        var changed = aHighlyAvailableSessionCluster().withObstacle("Pod 'p'").withRestartNonce(7);

        assertThat(changed.decide().reason()).isEqualTo(Reason.WAITING_FOR_LOST_POD);
        assertThat(changed.decide().actions()).isEmpty();
    }

    private static Target silentFor(Duration length, SessionJobView job) {
        return new Target.SessionCluster(
                List.of(job),
                new Jobs.Silent("timed out"),
                Optional.of(Snapshots.NOW.minus(length)));
    }

    private static Target silentForLong(SessionJobView job) {
        return silentFor(Duration.ofMinutes(6), job);
    }

    /** Its job is recovered by the next JobManager, and stopped there. */
    @Test
    void isReplacedAfterALongSilenceIfAllThatIsBeingStoppedIsInTheMetadata() {
        Snapshots changed = aHighlyAvailableSessionCluster().withImage("new").withRecoveryOf(JOB);

        assertThat(
                        changed.withTarget(silentFor(Duration.ofMinutes(4), anEndingGuest(true)))
                                .decide()
                                .reason())
                .isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        goes(changed.withTarget(silentForLong(anEndingGuest(true))));
    }

    @Test
    void asksAHumanAfterALongSilenceIfAStateWouldBeLost() {
        SessionJobView running = new SessionJobView("report", Optional.of(JOB), true, false);
        Snapshots changed = aReadySessionCluster().withImage("new");

        Decision decision = changed.withTarget(silentForLong(running)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.SESSION_CLUSTER_SILENT);
        assertThat(decision.actions()).hasOnlyElementsOfType(Action.ProvideServices.class);
        assertThat(decision.status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.DEPLOYED);
        assertThat(decision.status().condition("Stalled").orElseThrow().message())
                .contains("report", "kubectl delete deployment orders -n shop");
        assertThat(decision.notes())
                .extracting(ResourceEvent::reason)
                .contains("SessionClusterSilent");
        assertThat(
                        changed.withTarget(silentForLong(running))
                                .decided()
                                .withTarget(withGuest(true, JobState.RUNNING))
                                .decide()
                                .reason())
                .isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
    }

    @Test
    void asksAHumanAfterALongSilenceIfTheMetadataIsGoneOrOfAnotherVersion() {
        Snapshots changed = aHighlyAvailableSessionCluster().withImage("new");
        ObjectNode newer = Specs.highlyAvailable(sessionCluster()).put("flinkVersion", "v2_0");
        Snapshots upgraded = aHighlyAvailableSessionCluster().withSpec(newer).withRecoveryOf(JOB);

        assertThat(
                        Stream.of(changed, upgraded)
                                .map(it -> it.withTarget(silentForLong(anEndingGuest(true))))
                                .map(Snapshots::decide))
                .extracting(Decision::reason)
                .containsOnly(Reason.SESSION_CLUSTER_SILENT);
    }

    /** The replacement is on record by then. */
    @Test
    void waitsNoLongerForAJobThatBeganToEndJustBeforeASilence() {
        Snapshots announced =
                aHighlyAvailableSessionCluster()
                        .withTarget(withGuest(true, JobState.RUNNING))
                        .withImage("new")
                        .decided()
                        .withTarget(silentForLong(anEndingGuest(true)));

        assertThat(announced.withRecoveryOf(JOB).decide().actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
        assertThat(announced.decide().reason()).isEqualTo(Reason.SESSION_CLUSTER_SILENT);
        assertThat(announced.decide().actions()).isEmpty();
    }

    private static void goes(Snapshots changed) {
        assertThat(changed.decided().decide().actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
    }

    private static Snapshots aHighlyAvailableSessionCluster() {
        return aReadySessionCluster(Specs.highlyAvailable(sessionCluster()));
    }

    private static SessionJobView anEndingGuest(boolean keepsState) {
        return new SessionJobView("report", Optional.of(JOB), keepsState, false, true);
    }

    private static Target with(SessionJobView job, Jobs jobs) {
        return new Target.SessionCluster(List.of(job), jobs);
    }

    @Test
    void waitsForItsJobsWithHighAvailabilityTooIfTheVersionChanges() {
        ObjectNode spec = Specs.highlyAvailable(sessionCluster());

        Snapshots changed =
                aReadySessionCluster(spec)
                        .withTarget(withGuest(true, JobState.RUNNING))
                        .withSpec(spec.deepCopy().put("flinkVersion", "v2_0"));

        assertThat(changed.decide().reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
    }

    @Test
    void isCreatedAnewWhenItsJobManagerIsMissing() {
        Decision decision = aReadySessionCluster().withNothingLeft().decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_MANAGER_RECOVERED);
        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.CreateCluster.class);
    }

    @Test
    void staysUntilItsSessionJobsAreDeleted() {
        Decision decision = aSessionClusterWithAStatefulJob().deleted().decide();

        assertThat(decision.reason()).isEqualTo(Reason.SESSION_JOBS_LEFT);
        assertThat(decision.detail()).contains("report");
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.notes()).extracting(ResourceEvent::reason).contains("CleanupFailed");
    }

    @Test
    void staysUntilJobsThatNobodyManagesAreCancelled() {
        Snapshots deleted =
                aReadySessionCluster()
                        .withTarget(new Target.SessionCluster(List.of(), listing(JobState.RUNNING)))
                        .deleted();

        assertThat(deleted.decide().detail()).contains(JOB);
        assertThat(
                        deleted.withConfiguration(
                                        "kubernetes.operator.session.deletion.block-on-unmanaged-jobs",
                                        "false")
                                .decide()
                                .actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
    }

    @Test
    void isDeletedWithItsJobsWhereTheUserSaysSo() {
        String blocks = "kubernetes.operator.session.deletion.block-on-session-jobs";

        Decision decision =
                aSessionClusterWithAStatefulJob()
                        .withConfiguration(blocks, "false")
                        .deleted()
                        .decide();

        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.DeleteCluster.class);
    }

    @Test
    void isDeletableWhenNobodyKnowsOfItsJobs() {
        Snapshots deleted =
                aReadySessionCluster().withTarget(SessionSnapshots.silentCluster()).deleted();

        assertThat(deleted.decide().actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
    }

    @Test
    void isDeletableWithABrokenSpec() {
        Snapshots deleted = aReadySessionCluster().withInvalidSpec("broken").deleted();

        assertThat(deleted.decide().actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
        assertThat(deleted.withNothingLeft().decide().reason()).isEqualTo(Reason.DELETED);
    }

    @Test
    void asksForNoSavepointOfItsOwnOnDeletion() {
        Snapshots deleted =
                aReadySessionCluster()
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted();

        assertThat(deleted.decide().actions())
                .hasExactlyElementsOfTypes(Action.DeleteCluster.class);
    }

    @Test
    void waitsUntilSomebodyHasAskedWhereAJobThatEndedLeftItsState() {
        var ended =
                new Target.SessionCluster(
                        List.of(new SessionJobView("report", Optional.of(JOB), true, false)),
                        SessionSnapshots.listing(JobState.FINISHED));

        assertThat(aReadySessionCluster().withTarget(ended).withImage("new").decide().reason())
                .isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
    }
}
