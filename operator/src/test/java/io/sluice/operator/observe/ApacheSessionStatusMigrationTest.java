// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.observe.ApacheResources.STANDS;
import static io.sluice.operator.observe.ApacheResources.left;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import io.sluice.operator.system.Predecessor;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Session clusters and session jobs that the Apache operator left, in each state that it knows. */
class ApacheSessionStatusMigrationTest {
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
}
