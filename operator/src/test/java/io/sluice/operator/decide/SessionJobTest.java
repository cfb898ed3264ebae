// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.SessionSnapshots.aNewSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.aSessionJobInDoubt;
import static io.sluice.operator.decide.SessionSnapshots.aTakenUpSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.host;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static io.sluice.operator.decide.SessionSnapshots.partingHost;
import static io.sluice.operator.decide.SessionSnapshots.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.AttemptStatus;
import io.sluice.api.JobState;
import io.sluice.api.LifecycleState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.rules.jar.ArtifactPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionJobTest {
    @Test
    void isOnRecordBeforeAnythingIsDone() {
        Decision decision = aNewSessionJob("stateless").decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().jobStatus().jobId()).isPresent();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.UPGRADING);
    }

    @Test
    void waitsForItsClusterAndNamesIt() {
        Decision decision =
                aNewSessionJob("stateless")
                        .withTarget(on(host(SessionClusterView.State.NOT_READY, false)))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_CLUSTER);
        assertThat(decision.detail()).contains("'session'").contains("not ready");
        assertThat(decision.status().reconciliationStatus().lastReconciledSpec()).isEmpty();
    }

    @Test
    void isHandedOverInSteps() {
        Decision upload = aTakenUpSessionJob("stateless").decide();
        assertThat(upload.actions()).hasExactlyElementsOfTypes(Action.UploadJar.class);

        Decision run =
                aTakenUpSessionJob("stateless")
                        .withTarget(on(host(), new SubmissionView.Uploaded("1_report.jar")))
                        .decide();
        assertThat(run.status().attempt().jar()).contains("1_report.jar");
        assertThat(run.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.RunJar.class,
                        action -> {
                            assertThat(action.request().jobId())
                                    .isEqualTo(run.status().jobStatus().jobId().orElseThrow());
                            assertThat(action.request().parallelism()).contains(2);
                            assertThat(action.request().configuration())
                                    .containsEntry("pipeline.name", "orders")
                                    .containsEntry(
                                            "execution.checkpointing.savepoint-dir", "s3://s");
                        });

        Decision listed = aSessionJobInDoubt("stateless").withJob(JobState.RUNNING, 2).decide();
        assertThat(listed.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(listed.actions()).containsExactly(new Action.DeleteJar("1_report.jar"));
        assertThat(listed.status().attempt().jar()).isEmpty();
        assertThat(listed.status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void isGivenTheTimeForItsSubmissionThatTheOperatorIsTold() {
        Decision run =
                aTakenUpSessionJob("stateless")
                        .withDefaults(Map.of("kubernetes.operator.job.submission.timeout", "90 s"))
                        .withTarget(on(host(), new SubmissionView.Uploaded("1_report.jar")))
                        .decide();

        assertThat(((Action.RunJar) run.actions().getFirst()).request().patience()).hasSeconds(90);
    }

    @Test
    void itsJarIsFetchedAsTheConfigurationSays() {
        Decision upload =
                aNewSessionJob("stateless")
                        .withDefaults(
                                Map.of(
                                        "kubernetes.operator.user.artifacts.allowed-schemes",
                                        "http,https",
                                        "kubernetes.operator.user.artifacts.allowed-hosts",
                                        "repo.example.org",
                                        "kubernetes.operator.user.artifacts.disallow-restricted-hosts",
                                        "false",
                                        "kubernetes.operator.user.artifacts.max-size",
                                        "3 m",
                                        "kubernetes.operator.user.artifacts.timeout",
                                        "7 s",
                                        "kubernetes.operator.user.artifacts.max-redirects",
                                        "2",
                                        "kubernetes.operator.user.artifacts.max-header-size",
                                        "4 kb"))
                        .withConfiguration(
                                "kubernetes.operator.user.artifacts.http.header",
                                "Authorization: Bearer me, X-Team:shop")
                        .decided()
                        .withJobManager(true)
                        .withJob(new JobView.NotListed())
                        .decide();

        assertThat(((Action.UploadJar) upload.actions().getFirst()).source())
                .isEqualTo(
                        new JarSource(
                                "shop",
                                Optional.of("https://repo.example.org/report.jar"),
                                Map.of("Authorization", "Bearer me", "X-Team", "shop"),
                                new ArtifactPolicy(
                                        List.of("http", "https"),
                                        false,
                                        List.of("repo.example.org"),
                                        3 * 1024 * 1024,
                                        Duration.ofSeconds(7),
                                        2,
                                        4096)));
    }

    @Test
    void isAskedForAgainUnderTheSameIdAfterACrash() {
        Decision decision = aSessionJobInDoubt("savepoint").decide();

        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.RunJar.class,
                        run -> {
                            assertThat(run.jarId()).isEqualTo("1_report.jar");
                            assertThat(run.request().jobId())
                                    .isEqualTo(decision.status().jobStatus().jobId().orElseThrow());
                        });
    }

    @Test
    void uploadsItsJarAnewWhenTheJobManagerHasLostIt() {
        Decision decision =
                aSessionJobInDoubt("savepoint")
                        .withTarget(on(host(), new SubmissionView.JarLost()))
                        .decide();

        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.UploadJar.class);
        assertThat(decision.status().attempt().jar()).isPresent();
    }

    @Test
    void takesUpNoOtherSpecWhileItMayTurnUp() {
        Snapshots changed = aSessionJobInDoubt("stateless").withRestartNonce(7);

        Decision decision = changed.decide();

        assertThat(decision.status().attempt().id())
                .isEqualTo(changed.observed().status().attempt().id());
        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.RunJar.class);
    }

    @Test
    void takesUpTheNextSpecOnceItWasRefused() {
        Snapshots refused = aSessionJobInDoubt("savepoint").withTarget(refused("no such class"));
        Decision decision = refused.decide();
        assertThat(decision.reason()).isEqualTo(Reason.SUBMISSION_REFUSED);
        assertThat(decision.detail()).contains("no such class");
        assertThat(decision.actions()).containsExactly(new Action.DeleteJar("1_report.jar"));

        Snapshots mended = refused.decided().withRestartNonce(7);

        assertThat(mended.decide().status().attempt().id())
                .isNotEqualTo(decision.status().attempt().id());
    }

    /** The JobManager restarted: it may be recovering what the former one was asked to run. */
    @Test
    void takesUpNoOtherSpecForAWhileIfTheLostJarCanNotBeUploadedAnew() {
        var view = new SubmissionView.NotUploaded("HTTP 404", Snapshots.NOW);
        Snapshots stuck = aSessionJobInDoubt("savepoint").withTarget(on(host(), view));
        Decision first = stuck.decide();
        assertThat(first.reason()).isEqualTo(Reason.SUBMISSION_REFUSED);
        assertThat(first.actions()).isEmpty();
        assertThat(first.status().attempt().jar()).isPresent();

        Snapshots mended = stuck.decided().withRestartNonce(7);
        assertThat(mended.decide().status().attempt().id())
                .isEqualTo(first.status().attempt().id());

        Snapshots settled = mended.later(Duration.ofSeconds(30)).decided();
        assertThat(settled.decide().status().attempt().id())
                .isNotEqualTo(first.status().attempt().id());
    }

    /** It may have ended, and its result been kept: only another request could tell. */
    @Test
    void staysInDoubtOnAHighlyAvailableClusterIfTheLostJarCanNotBeUploadedAnew() {
        Snapshots old = lostJarOnAHighlyAvailableCluster().later(Duration.ofHours(1));
        assertThat(old.decide().actions()).hasExactlyElementsOfTypes(Action.UploadJar.class);
        assertThat(attemptOf(old.decided()).jar()).isPresent();

        Snapshots edited = old.withRestartNonce(7);
        assertThat(edited.decide().reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);

        Snapshots missed = edited.decided().decided().later(Duration.ofMinutes(6));
        assertThat(missed.decide().reason()).isEqualTo(Reason.STATE_LOST);
    }

    private static Snapshots lostJarOnAHighlyAvailableCluster() {
        var view = new SubmissionView.NotUploaded("HTTP 404", Snapshots.NOW);
        return aSessionJobInDoubt("savepoint")
                .withTarget(on(host(SessionClusterView.State.READY, true), view))
                .decided();
    }

    @Test
    void aJarBeyondALimitIsToldByTheLimitAndTriedAgainLessAndLessOften() {
        Snapshots first = SessionSnapshots.notUploaded(Reason.JAR_TOO_SLOW);
        assertThat(first.decide().notes()).extracting(ResourceEvent::reason).contains("JarTooSlow");
        assertThat(first.decide().actions()).isEmpty();
        assertThat(first.later(Duration.ofMinutes(1)).decide().actions())
                .hasExactlyElementsOfTypes(Action.UploadJar.class);

        Snapshots fourth =
                SessionSnapshots.submitting(
                        new SubmissionView.NotUploaded(
                                Reason.JAR_TOO_SLOW, "is too slow", Snapshots.NOW, 4));
        assertThat(fourth.later(Duration.ofMinutes(7)).decide().actions()).isEmpty();
        assertThat(fourth.later(Duration.ofMinutes(8)).decide().actions())
                .hasExactlyElementsOfTypes(Action.UploadJar.class);

        Snapshots fortieth =
                SessionSnapshots.submitting(
                        new SubmissionView.NotUploaded(
                                Reason.JAR_TOO_SLOW, "is too slow", Snapshots.NOW, 40));
        assertThat(fortieth.later(Duration.ofMinutes(10)).decide().actions())
                .hasExactlyElementsOfTypes(Action.UploadJar.class);
    }

    @Test
    void triesARefusedSubmissionAgainAfterAWhile() {
        Snapshots refused =
                aTakenUpSessionJob("savepoint").withTarget(refused("HTTP 404")).decided();
        assertThat(refused.decide().actions()).isEmpty();

        assertThat(refused.later(Duration.ofMinutes(2)).decide().actions())
                .hasExactlyElementsOfTypes(Action.UploadJar.class);
    }

    @Test
    void isCancelledBeforeTheNextWithoutStateStarts() {
        Snapshots changed = aRunningSessionJob("stateless").withRestartNonce(7);
        Decision cancel = changed.decide();
        assertThat(cancel.actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(cancel.status().attempt().id())
                .isEqualTo(changed.observed().status().attempt().id());

        Decision next = changed.decided().withJob(JobState.CANCELED, 0).decide();

        assertThat(next.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(next.status().attempt().id()).isNotEqualTo(cancel.status().attempt().id());
        assertThat(next.status().jobStatus().upgradeSavepointPath()).isEmpty();
    }

    @Test
    void takesItsSavepointAlongOnceItsJobHasEnded() {
        Snapshots stopping = aRunningSessionJob("savepoint").withRestartNonce(7);
        assertThat(stopping.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        Snapshots done = stopping.decided().withStop(new SavepointStatus.Completed("s3://s/1"));

        assertThat(done.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
        Decision next = done.withJob(JobState.FINISHED, 0).decide();
        assertThat(next.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(next.status().jobStatus().upgradeSavepointPath()).contains("s3://s/1");
    }

    @Test
    void takesItsLastCheckpointAlongAfterACancellation() {
        Snapshots cancelling =
                aRunningSessionJob("last-state").withCheckpoint("s3://c/1").withRestartNonce(7);
        assertThat(cancelling.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);

        Snapshots next =
                cancelling
                        .decided()
                        .withJob(JobState.CANCELED, 0)
                        .withCheckpoint("s3://c/chk-7")
                        .decided();

        Decision run =
                next.withJob(new JobView.NotListed())
                        .withTarget(on(host(), new SubmissionView.Uploaded("2_report.jar")))
                        .decide();
        assertThat(run.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.RunJar.class,
                        action ->
                                assertThat(action.request().savepointPath())
                                        .contains("s3://c/chk-7"));
    }

    @Test
    void isStoppedWithASavepointIfItsCheckpointsWouldGoWithItsCancellation() {
        Snapshots changed = aRunningSessionJob("last-state").withRestartNonce(7).withoutRetention();

        assertThat(changed.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        Decision restarting = changed.withJob(JobState.RESTARTING, 0).decide();
        assertThat(restarting.actions()).isEmpty();
        assertThat(restarting.reason()).isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
    }

    @Test
    void isNotCancelledForACheckpointOfItsOwnThatWouldGoWithThat() {
        String jobId =
                aRunningSessionJob("savepoint")
                        .observed()
                        .status()
                        .jobStatus()
                        .jobId()
                        .orElseThrow();

        for (String path : List.of("s3://c/" + jobId + "/chk-7", "s3://c/chk-7/")) {
            Snapshots redeployed = redeployedFrom(path);
            assertThat(redeployed.decide().actions())
                    .hasExactlyElementsOfTypes(Action.CancelJob.class);
            assertThat(redeployed.withoutRetention().decide().actions()).isEmpty();
            assertThat(redeployed.withoutRetention().decide().reason())
                    .isEqualTo(Reason.CHECKPOINTS_NOT_RETAINED);
            assertThat(redeployed.withRetention(new Retention.Unread("late")).decide().reason())
                    .isEqualTo(Reason.STATE_UNREAD);
        }
        for (String path : List.of("s3://s/9", "s3://c/" + SessionSnapshots.JOB + "/chk-7")) {
            assertThat(redeployedFrom(path).withoutRetention().decide().actions())
                    .hasExactlyElementsOfTypes(Action.CancelJob.class);
        }
    }

    private static Snapshots redeployedFrom(String path) {
        return aRunningSessionJob("savepoint")
                .withSpec(Specs.redeployed(SessionSnapshots.sessionJob("savepoint"), path, 1));
    }

    @Test
    void doesNotLeaveAClusterThatIsToBeReplacedWithoutItsState() {
        Snapshots parting =
                aRunningSessionJob("last-state").withTarget(on(partingHost())).withoutRetention();

        assertThat(parting.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        assertThat(parting.withJob(JobState.RESTARTING, 0).decide().actions()).isEmpty();
    }

    @Test
    void isCancelledWithoutStateWhateverBecomesOfItsCheckpoints() {
        Snapshots changed = aRunningSessionJob("stateless").withRestartNonce(7).withoutRetention();

        assertThat(changed.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
    }

    @Test
    void isSuspendedAndResumedFromItsSavepoint() {
        Snapshots suspended =
                aRunningSessionJob("savepoint")
                        .withState("suspended")
                        .decided()
                        .withStop(new SavepointStatus.Completed("s3://s/1"))
                        .withJob(JobState.FINISHED, 0)
                        .decided();
        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);

        Decision resumed = suspended.withState("running").decide();

        assertThat(resumed.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(resumed.status().jobStatus().upgradeSavepointPath()).contains("s3://s/1");
    }

    @Test
    void leavesAClusterThatIsToBeReplacedWithItsState() {
        Snapshots parting = aRunningSessionJob("savepoint").withTarget(on(partingHost()));
        assertThat(parting.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);

        Snapshots left =
                parting.decided()
                        .withStop(new SavepointStatus.Completed("s3://s/1"))
                        .withJob(JobState.FINISHED, 0)
                        .decided()
                        .withJob(new JobView.NotListed());

        assertThat(left.decide().reason()).isEqualTo(Reason.WAITING_FOR_SESSION_CLUSTER);
        assertThat(left.decide().actions()).isEmpty();
        assertThat(left.withTarget(on(host())).decide().actions())
                .hasExactlyElementsOfTypes(Action.UploadJar.class);
    }

    @Test
    void isSubmittedAgainWithoutStateOnlyIfItKeepsNone() {
        assertThat(lost("stateless").decide().reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(lost("savepoint").decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(lost("last-state").withRestartNonce(7).decide().reason())
                .isEqualTo(Reason.STATE_LOST);
    }

    @Test
    void isWaitedForWhileItsClusterKnowsItAndDoesNotListIt() {
        Snapshots young = knownAlready("stateless").decided().withRestartNonce(7);

        assertThat(young.decide().reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(young.decide().status().attempt()).isEqualTo(attemptOf(young));
        assertThat(stillKnown(young).decide().status().attempt()).isEqualTo(attemptOf(young));
    }

    @Test
    void isAskedForAgainBeforeItIsTakenForKnown() {
        Snapshots known = knownAlready("stateless").decided().later(Duration.ofMinutes(6));

        Decision decision = known.decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.RunJar.class);
    }

    @Test
    void isLookedForAnewOnceItsClusterWasSilent() {
        Snapshots silent =
                knownAlready("stateless")
                        .decided()
                        .later(Duration.ofMinutes(6))
                        .withJob(new JobView.Unreachable("timed out"))
                        .decided();

        assertThat(stillKnown(silent.withJob(new JobView.NotListed())).decide().reason())
                .isEqualTo(Reason.JOB_SUBMITTING);
    }

    @Test
    void isNeverRunAgainByItselfIfItEndedUnseen() {
        assertThat(endedUnseen("stateless").decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(endedUnseen("savepoint").decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(endedUnseen("stateless").decide().actions()).isEmpty();
    }

    @Test
    void makesWayForTheNextSpecIfItEndedUnseen() {
        Snapshots ended = endedUnseen("stateless");

        Decision next = ended.withRestartNonce(7).decide();

        assertThat(next.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(next.status().attempt().id()).isNotEqualTo(attemptOf(ended).id());
        assertThat(next.status().attempt().jar()).isEmpty();
        assertThat(endedUnseen("savepoint").withRestartNonce(7).decide().reason())
                .isEqualTo(Reason.STATE_LOST);
        assertThat(
                        endedUnseen("savepoint")
                                .withSpec(
                                        Specs.redeployed(
                                                SessionSnapshots.sessionJob("savepoint"),
                                                "s3://s/9",
                                                1))
                                .decide()
                                .status()
                                .jobStatus()
                                .upgradeSavepointPath())
                .contains("s3://s/9");
    }

    @Test
    void comesToRestIfItEndedUnseenAndIsSuspended() {
        Snapshots suspended = endedUnseen("stateless").withState("suspended").decided().decided();

        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(attemptOf(suspended).jar()).isEmpty();
    }

    @Test
    void isTakenForWhatItIsIfItTurnsUpVeryLate() {
        Snapshots late = endedUnseen("stateless").withJob(JobState.RUNNING, 2);

        assertThat(late.decide().actions()).hasExactlyElementsOfTypes(Action.DeleteJar.class);
        assertThat(attemptOf(late.decided()).jar()).isEmpty();
        assertThat(late.withRestartNonce(7).decide().actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(attemptOf(late.withRestartNonce(7).decided()).jar()).isEmpty();
    }

    @Test
    void isGivenTimeToComeBackOnAHighlyAvailableCluster() {
        Snapshots missing =
                aRunningSessionJob("stateless")
                        .withTarget(on(host(SessionClusterView.State.READY, true)))
                        .withJob(new JobView.NotListed())
                        .decided()
                        .later(Duration.ofMinutes(2));

        assertThat(missing.decide().reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);
    }

    @Test
    void isNotRunAgainOnceItHasEnded() {
        Snapshots finished =
                aRunningSessionJob("stateless").withJob(JobState.FINISHED, 0).decided();

        Decision decision =
                finished.withJob(new JobView.NotListed()).later(Duration.ofHours(1)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_FINISHED);
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void startsFromTheSavepointThatTheUserNames() {
        Snapshots redeployed =
                aRunningSessionJob("savepoint")
                        .withSpec(
                                Specs.redeployed(
                                        SessionSnapshots.sessionJob("savepoint"), "s3://s/9", 1));
        assertThat(redeployed.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);

        Decision next = redeployed.decided().withJob(JobState.CANCELED, 0).decide();

        assertThat(next.reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(next.status().jobStatus().upgradeSavepointPath()).contains("s3://s/9");
    }

    @Test
    void isCancelledOnDeletion() {
        Snapshots deleted = aRunningSessionJob("stateless").deleted();
        assertThat(deleted.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);

        assertThat(deleted.decided().withJob(JobState.CANCELED, 0).decide().reason())
                .isEqualTo(Reason.DELETED);
    }

    @Test
    void isStoppedWithASavepointOnDeletionWhereOneIsWanted() {
        Snapshots deleted =
                aRunningSessionJob("savepoint")
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted();
        assertThat(deleted.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);

        Snapshots failing =
                deleted.decided()
                        .withStop(new SavepointStatus.Failed("no folder", Optional.empty()))
                        .later(Duration.ofMinutes(10));

        assertThat(failing.decide().actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(failing.decided().decide().actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);
    }

    @Test
    void goesWithItsClusterInEitherOrder() {
        Snapshots deleted = aRunningSessionJob("savepoint").deleted();

        assertThat(deleted.withTarget(SessionSnapshots.onNoCluster()).decide().reason())
                .isEqualTo(Reason.DELETED);
        assertThat(deleted.withTarget(on(SessionSnapshots.deletedHost(false))).decide().reason())
                .isEqualTo(Reason.DELETED);
        assertThat(deleted.withTarget(on(SessionSnapshots.deletedHost(true))).decide().actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(
                        deleted.withTarget(on(host(SessionClusterView.State.DOWN, false)))
                                .decide()
                                .reason())
                .isEqualTo(Reason.DELETED);
    }

    /** A node that is out of reach, or a probe that is missed, ends no job. */
    @Test
    void isNotLetGoWhileItsJobManagerIsNotReady() {
        Snapshots deleted =
                aRunningSessionJob("stateless")
                        .withTarget(on(host(SessionClusterView.State.NOT_READY, false)))
                        .withJob(new JobView.NotAsked())
                        .deleted();
        assertThat(deleted.decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(
                        deleted.decided()
                                .withTarget(on(host()))
                                .withJob(JobState.RUNNING, 2)
                                .decide()
                                .actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);

        Decision givenUp = deleted.decided().later(Duration.ofMinutes(6)).decide();

        assertThat(givenUp.reason()).isEqualTo(Reason.DELETED);
        assertThat(givenUp.notes()).extracting(ResourceEvent::reason).contains("CleanupFailed");
    }

    @Test
    void isLetGoAtOnceIfItNeverRanWhateverItsClusterDoes() {
        Snapshots deleted =
                aTakenUpSessionJob("savepoint")
                        .withTarget(on(host(SessionClusterView.State.NOT_READY, false)))
                        .withJob(new JobView.NotAsked())
                        .deleted();

        assertThat(deleted.decide().reason()).isEqualTo(Reason.DELETED);
    }

    @Test
    void staysOnAClusterThatBringsItBackByItself() {
        Decision decision =
                aRunningSessionJob("savepoint")
                        .withTarget(on(SessionSnapshots.partingHost(true)))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void isNotHeldUpForEverByAClusterThatDoesNotAnswer() {
        Snapshots deleted =
                aRunningSessionJob("savepoint")
                        .withJob(new JobView.Unreachable("timed out"))
                        .deleted();
        assertThat(deleted.decide().reason()).isEqualTo(Reason.DELETING);

        Decision givenUp = deleted.decided().later(Duration.ofMinutes(6)).decide();

        assertThat(givenUp.reason()).isEqualTo(Reason.DELETED);
        assertThat(givenUp.notes()).extracting(ResourceEvent::reason).contains("CleanupFailed");
    }

    @Test
    void isHeldUpNoLongerThanTheOperatorIsTold() {
        Snapshots deleted =
                aRunningSessionJob("savepoint")
                        .withDefaults(
                                Map.of("kubernetes.operator.resource.cleanup.timeout", "1 min"))
                        .withJob(new JobView.Unreachable("timed out"))
                        .deleted()
                        .decided();

        assertThat(deleted.later(Duration.ofSeconds(50)).decide().reason())
                .isEqualTo(Reason.DELETING);
        assertThat(deleted.later(Duration.ofSeconds(70)).decide().reason())
                .isEqualTo(Reason.DELETED);
    }

    @Test
    void isNotLetGoWhileItMayTurnUp() {
        Snapshots deleted = aSessionJobInDoubt("stateless").deleted();

        assertThat(deleted.decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(deleted.decided().later(Duration.ofMinutes(1)).decide().reason())
                .isEqualTo(Reason.DELETING);
        assertThat(deleted.decided().later(Duration.ofMinutes(2)).decide().reason())
                .isEqualTo(Reason.DELETED);
        assertThat(aTakenUpSessionJob("stateless").deleted().decide().reason())
                .isEqualTo(Reason.DELETED);
    }

    @Test
    void isNotLetGoWhileAJobManagerThatWasAwayMayRecoverIt() {
        Snapshots back =
                aRunningSessionJob("last-state")
                        .withTarget(on(host(SessionClusterView.State.NOT_READY, true)))
                        .deleted()
                        .decided()
                        .later(Duration.ofMinutes(2))
                        .withTarget(on(host(SessionClusterView.State.READY, true)))
                        .withJob(new JobView.NotListed());

        assertThat(back.decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(back.decided().later(Duration.ofMinutes(1)).decide().reason())
                .isEqualTo(Reason.DELETED);
    }

    @Test
    void isNotLetGoWhenItsJobManagerIsLostBeforeItsCancellation() {
        Snapshots lost =
                aRunningSessionJob("last-state")
                        .withTarget(on(host(SessionClusterView.State.READY, true)))
                        .withJob(new JobView.NotListed())
                        .deleted()
                        .decided()
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .later(Duration.ofMinutes(1))
                        .withJob(new JobView.NotListed());

        assertThat(lost.decide().reason()).isEqualTo(Reason.DELETING);
    }

    @Test
    void isNotWaitedForForEverWhileItsJobManagerRestarts() {
        Snapshots restarting =
                aRunningSessionJob("last-state")
                        .withTarget(on(host(SessionClusterView.State.NOT_READY, true)))
                        .deleted()
                        .decided()
                        .later(Duration.ofMinutes(6))
                        .withTarget(on(host(SessionClusterView.State.READY, true)))
                        .withJob(new JobView.NotListed());

        Decision givenUp = restarting.decide();

        assertThat(givenUp.reason()).isEqualTo(Reason.DELETED);
        assertThat(givenUp.notes()).extracting(ResourceEvent::reason).contains("CleanupFailed");
    }

    private static Snapshots lost(String upgradeMode) {
        return aRunningSessionJob(upgradeMode)
                .withJob(new JobView.NotListed())
                .decided()
                .later(Duration.ofMinutes(6));
    }

    private static AttemptStatus attemptOf(Snapshots of) {
        return of.observed().status().attempt();
    }

    /** Asked for; its JobManager has just said that it has it, and does not list it. */
    private static Snapshots knownAlready(String upgradeMode) {
        return stillKnown(aSessionJobInDoubt(upgradeMode));
    }

    private static Snapshots stillKnown(Snapshots of) {
        return of.withTarget(on(host(), new SubmissionView.KnownAlready(of.observed().now())));
    }

    /** Its JobManager has said for long that it has it, and has never listed it. */
    private static Snapshots endedUnseen(String upgradeMode) {
        Snapshots missed =
                stillKnown(knownAlready(upgradeMode).decided().later(Duration.ofMinutes(6)))
                        .decided();
        return missed.decided().later(Duration.ofMinutes(6));
    }
}
