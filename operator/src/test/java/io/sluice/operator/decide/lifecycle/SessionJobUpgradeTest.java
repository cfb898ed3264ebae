// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.host;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static io.sluice.operator.decide.SessionSnapshots.partingHost;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.operator.model.Target.SubmissionView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session job whose spec changes, or whose cluster is to be replaced. */
class SessionJobUpgradeTest {
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
        Snapshots beingReplaced =
                aRunningSessionJob("last-state").withTarget(on(partingHost())).withoutRetention();

        assertThat(beingReplaced.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        assertThat(beingReplaced.withJob(JobState.RESTARTING, 0).decide().actions()).isEmpty();
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
        Snapshots beingReplaced = aRunningSessionJob("savepoint").withTarget(on(partingHost()));
        assertThat(beingReplaced.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);

        Snapshots left =
                beingReplaced
                        .decided()
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
    void staysOnAClusterThatBringsItBackByItself() {
        Decision decision =
                aRunningSessionJob("savepoint")
                        .withTarget(on(SessionSnapshots.partingHost(true)))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_RUNNING);
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
}
