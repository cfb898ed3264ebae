// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.SessionSnapshots.aNewSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.aSessionJobInDoubt;
import static io.sluice.operator.decide.SessionSnapshots.aTakenUpSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.host;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static io.sluice.operator.decide.SessionSnapshots.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.rules.jar.ArtifactPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A session job on its way to the cluster: its jar is uploaded, and run. */
class JarSubmissionTest {
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
                                        4096,
                                        Optional.empty())));
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
        assertThat(old.decided().attempt().jar()).isPresent();

        Snapshots edited = old.withRestartNonce(7);
        assertThat(edited.decide().reason()).isEqualTo(Reason.WAITING_FOR_SUBMISSION);

        Snapshots missed = edited.decided().decided().later(Duration.ofMinutes(6));
        assertThat(missed.decide().reason()).isEqualTo(Reason.UPGRADE_FAILED);
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
}
