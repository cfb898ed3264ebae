// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.aSessionJobInDoubt;
import static io.sluice.operator.decide.SessionSnapshots.aTakenUpSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.host;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target.SessionClusterView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A session job that is deleted, and its cluster before, with or after it. */
class SessionJobDeletionTest {
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
    void isStoppedWithItsSavepointByAJobManagerThatWasSilentMeanwhile() {
        Snapshots deleted =
                aRunningSessionJob("savepoint")
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted();
        var silence = new JobView.Unreachable("timed out");
        Snapshots silentFirst = deleted.withJob(silence).decided().withJob(JobState.RUNNING, 2);
        Snapshots silentLater =
                deleted.decided()
                        .withJob(silence)
                        .decided()
                        .withJob(JobState.RUNNING, 2)
                        .withStop(new SavepointStatus.InProgress());

        assertThat(silentFirst.decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
        assertThat(silentLater.decide().actions()).isEmpty();
        assertThat(silentLater.observed().status().attempt().stop())
                .isEqualTo(deleted.decided().observed().status().attempt().stop());
    }

    /** Its stop may fail once the savepoint is written, and Flink restarts the job. */
    @Test
    void isCancelledIfItRunsOnAfterTheSavepointOfItsDeletion() {
        String path = "s3://s/savepoint-012345-0123456789ab";
        Snapshots stopped =
                aRunningSessionJob("savepoint")
                        .withConfiguration("kubernetes.operator.job.savepoint-on-deletion", "true")
                        .decided()
                        .deleted()
                        .decided()
                        .withStop(
                                new SavepointStatus.Failed(
                                        "failed during stopping", Optional.of(path)));
        Decision cancelled = stopped.decide();

        assertThat(cancelled.actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
        assertThat(cancelled.status().jobStatus().upgradeSavepointPath()).contains(path);
        assertThat(stopped.decided().decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(stopped.decided().withJob(JobState.CANCELED, 0).decide().reason())
                .isEqualTo(Reason.DELETED);
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
}
