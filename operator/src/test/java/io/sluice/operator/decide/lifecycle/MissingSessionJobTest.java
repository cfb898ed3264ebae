// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.aSessionJobInDoubt;
import static io.sluice.operator.decide.SessionSnapshots.host;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SubmissionView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A session job that its cluster does not list, or has never listed. */
class MissingSessionJobTest {
    @Test
    void isSubmittedAgainWithoutStateOnlyIfItKeepsNone() {
        assertThat(lost("stateless").decide().reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(lost("savepoint").decide().reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(lost("last-state").withRestartNonce(7).decide().reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
    }

    @Test
    void isWaitedForWhileItsClusterKnowsItAndDoesNotListIt() {
        Snapshots young = knownAlready("stateless").decided().withRestartNonce(7);

        assertThat(young.decide().reason()).isEqualTo(Reason.JOB_SUBMITTING);
        assertThat(young.decide().status().attempt()).isEqualTo(young.attempt());
        assertThat(stillKnown(young).decide().status().attempt()).isEqualTo(young.attempt());
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
        assertThat(next.status().attempt().id()).isNotEqualTo(ended.attempt().id());
        assertThat(next.status().attempt().jar()).isEmpty();
        assertThat(endedUnseen("savepoint").withRestartNonce(7).decide().reason())
                .isEqualTo(Reason.UPGRADE_FAILED);
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
        assertThat(suspended.attempt().jar()).isEmpty();
    }

    @Test
    void isTakenForWhatItIsIfItTurnsUpVeryLate() {
        Snapshots late = endedUnseen("stateless").withJob(JobState.RUNNING, 2);

        assertThat(late.decide().actions()).hasExactlyElementsOfTypes(Action.DeleteJar.class);
        assertThat(late.decided().attempt().jar()).isEmpty();
        assertThat(late.withRestartNonce(7).decide().actions())
                .hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(late.withRestartNonce(7).decided().attempt().jar()).isEmpty();
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

    private static Snapshots lost(String upgradeMode) {
        return aRunningSessionJob(upgradeMode)
                .withJob(new JobView.NotListed())
                .decided()
                .later(Duration.ofMinutes(6));
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
