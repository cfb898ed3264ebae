// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.source;
import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.aStoppingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.StateView.LastCheckpoints;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A stop with a savepoint that fails, or whose job ends or is lost meanwhile. */
class FailedStopTest {
    private static final SavepointStatus FAILED =
            new SavepointStatus.Failed("no such folder", Optional.empty());

    @Test
    void leavesTheJobRunningWhereTheSavepointFails() {
        var failed = aStoppingDeployment().withStop(FAILED);

        assertThat(failed.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(failed.decide().actions()).isEmpty();
        assertThat(failed.decide().notes())
                .extracting(ResourceEvent::reason)
                .contains("SavepointError");
        assertThat(failed.decided().decide().actions()).isEmpty();
        assertThat(failed.decided().decide().status().jobStatus().state())
                .contains(JobState.RUNNING);
    }

    @Test
    void triesAFailedSavepointAgainUnderAnotherNameAndNotForEver() {
        var failed = aStoppingDeployment().withStop(FAILED).decided();
        var tried = failed.later(Duration.ofSeconds(11));

        assertThat(tried.decide().reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
        assertThat(trigger(tried.decide()))
                .isNotEqualTo(trigger(aRunningDeployment("savepoint").withImage("new").decide()));
        for (int i = 0; i < 20; i++) {
            tried = tried.decided().withStop(FAILED).decided().later(Duration.ofHours(1));
        }
        assertThat(tried.decide().reason()).isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
        assertThat(tried.decide().actions()).isEmpty();
        assertThat(tried.withImage("other").decide().reason())
                .isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    @Test
    void doesNotTakeASavepointThatTheJobRanOnFrom() {
        var written = new SavepointStatus.Failed("failed stopping", Optional.of("file:/s/1"));

        assertThat(aStoppingDeployment().withStop(written).decide().reason())
                .isEqualTo(Reason.UPGRADE_SAVEPOINT_FAILED);
    }

    @Test
    void takesTheSavepointOfAStopThatFailedOnlyIfTheJobKeptNothingSince() {
        var written = new SavepointStatus.Failed("failed stopping", Optional.of("file:/s/1"));
        var ended = aStoppingDeployment().withJob(JobState.CANCELED, 0).withStop(written);

        assertThat(ended.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(source(ended.withLast(told(6, Optional.of(7L))))).contains("file:/s/1");
        assertThat(source(ended.withLast(told(8, Optional.of(7L))))).contains("file:/c/8");
    }

    @Test
    void asksAHumanWhichIsTheLastWhereTheJobManagerDoesNotListTheSavepointOfAFailedStop() {
        var written = new SavepointStatus.Failed("failed stopping", Optional.of("file:/s/1"));
        var ended = aStoppingDeployment().withJob(JobState.CANCELED, 0).withStop(written);
        var earlier = new CheckpointRef(8, "file:/c/8", Snapshots.NOW.minusSeconds(3), false);
        var later = new CheckpointRef(8, "file:/c/8", Snapshots.NOW.plusSeconds(3), false);

        for (CheckpointRef other : List.of(earlier, later)) {
            var doubtful = ended.withLast(told(other, Optional.empty())).decide();
            assertThat(doubtful.reason()).isEqualTo(Reason.STATE_IN_DOUBT);
            assertThat(doubtful.detail()).contains("file:/s/1", "file:/c/8");
        }
        assertThat(source(ended.withLast(new LastCheckpoints.Known(Checkpoints.NONE))))
                .contains("file:/s/1");
    }

    /** Flink still names one that it has deleted. */
    @Test
    void startsFromNoCheckpointThatWasDiscarded() {
        var discarded = new CheckpointRef(8, "file:/c/8", Snapshots.NOW, true);
        var ended =
                aStoppingDeployment()
                        .withJob(JobState.FAILED, 0)
                        .withStop(FAILED)
                        .withLast(told(discarded, Optional.empty()));

        assertThat(ended.decide().reason()).isEqualTo(Reason.CHECKPOINT_NOT_FOUND);
        assertThat(ended.decide().actions()).isEmpty();
    }

    @Test
    void takesTheLastCheckpointOfAJobThatFailedBeforeItsSavepoint() {
        var failed = aStoppingDeployment().withJob(JobState.FAILED, 0).withStop(FAILED);

        assertThat(failed.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(
                        failed.withCheckpoint("file:/c/7")
                                .decide()
                                .status()
                                .jobStatus()
                                .upgradeSavepointPath())
                .contains("file:/c/7");
    }

    @Test
    void givesUpOnAStopWhoseJobManagerCannotRunOnceTheMetadataHasTheState() {
        var crashing =
                aHighlyAvailableDeployment()
                        .withSpec(Specs.highlyAvailable(Specs.application("new", "savepoint")))
                        .decided()
                        .withStop(new SavepointStatus.InProgress())
                        .withCluster(
                                new ClusterView(
                                        new ClusterView.JobManagerView.Present(
                                                "deployment-1", Optional.empty(), false, true),
                                        1,
                                        Optional.of(
                                                new ClusterView.PodProblem(
                                                        "CrashLoopBackOff", "again"))));
        var late = crashing.later(Duration.ofMinutes(6));

        assertThat(crashing.decide().reason()).isEqualTo(Reason.POD_PROBLEM);
        assertThat(late.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(source(late)).contains(StateOptions.LAST_STATE);
        assertThat(late.withoutRecovery().decide().reason()).isEqualTo(Reason.POD_PROBLEM);
        assertThat(startOf(late.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    private static String trigger(Decision decision) {
        return decision.status().attempt().stop().orElseThrow().triggerId();
    }

    private static LastCheckpoints told(long checkpoint, Optional<Long> savepoint) {
        return told(
                new CheckpointRef(checkpoint, "file:/c/" + checkpoint, Snapshots.NOW, false),
                savepoint);
    }

    private static LastCheckpoints told(CheckpointRef checkpoint, Optional<Long> savepoint) {
        return new LastCheckpoints.Known(
                new Checkpoints(
                        Optional.of(checkpoint),
                        savepoint.map(
                                id -> new CheckpointRef(id, "file:/s/1", Snapshots.NOW, false)),
                        Optional.empty(),
                        List.of()));
    }
}
