// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.SessionSnapshots.JOB;
import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.sessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.withGuest;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.model.Target.SessionJobView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes of a session cluster while a replacement is on record, and the former one stands. */
class SessionClusterReplacementTest {
    private static final ObjectNode SPEC = Specs.highlyAvailable(sessionCluster());

    @Test
    void isCarriedOutBeforeAChangeThatLosesTheJobsThatAreToComeBack() {
        Decision decision = announced().withSpec(ofAnotherVersion()).decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.detail()).contains("report");
        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.DeleteCluster.class);
        assertThat(decision.status().reconciliationStatus().lastReconciledSpec().orElse(""))
                .contains("v1_20")
                .doesNotContain("v2_0");
    }

    @Test
    void takesUpAChangeThatBringsTheJobsBackAsWell() {
        Decision decision = announced().withSpec(SPEC.deepCopy().put("restartNonce", 8)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void isCarriedOutBeforeSuchAChangeOnceTheFormerOneIsGoneAsWell() {
        Decision decision = gone().withSpec(ofAnotherVersion()).decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.detail()).contains("report", "not up yet");
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.CreateCluster.class,
                        create ->
                                assertThat(create.plan().spec().flinkVersion())
                                        .contains(FlinkVersion.V1_20));
    }

    @Test
    void isWaitedForUntilItsJobManagerIsUp() {
        Decision decision =
                gone().decided().withJobManager(false).withSpec(ofAnotherVersion()).decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void isNotWaitedForIfItsJobManagerCanNotRun() {
        Snapshots broken =
                gone().decided()
                        .withJobManager(false)
                        .withPodProblem("CrashLoopBackOff", "exit code 1");

        assertThat(broken.withSpec(ofAnotherVersion()).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void isNotWaitedForIfItsManifestsAreRefused() {
        assertThat(
                        gone().withRefusal("quota")
                                .withSpec(ofAnotherVersion())
                                .decide()
                                .status()
                                .reconciliationStatus()
                                .lastReconciledSpec()
                                .orElse(""))
                .contains("v2_0");
    }

    @Test
    void isNotWaitedForForLong() {
        Snapshots slow =
                gone().decided()
                        .withJobManager(false)
                        .decided()
                        .later(Duration.ofMinutes(6))
                        .withSpec(ofAnotherVersion());

        assertThat(slow.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void isNotWaitedForIfNoJobComesBackByIt() {
        Snapshots changed =
                announced().withoutRecovery().withNothingLeft().withSpec(ofAnotherVersion());

        assertThat(changed.decide().reason()).isEqualTo(Reason.DEPLOYMENT_STARTED);
    }

    private static Snapshots announced() {
        return aReadySessionCluster(SPEC)
                .withTarget(withGuest(true, JobState.RUNNING))
                .withSpec(SPEC.deepCopy().put("restartNonce", 7))
                .decided();
    }

    private static Snapshots gone() {
        var job = new SessionJobView("report", Optional.of(JOB), true, false);
        return announced()
                .withRecoveryOf(JOB)
                .withTarget(new Target.SessionCluster(List.of(job), new Jobs.NotAsked()))
                .withNothingLeft();
    }

    private static ObjectNode ofAnotherVersion() {
        return SPEC.deepCopy().put("restartNonce", 7).put("flinkVersion", "v2_0");
    }
}
