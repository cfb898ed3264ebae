// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Decisions.source;
import static io.sluice.operator.decide.Decisions.startOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.Retention;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * An attempt that never was up is replaced, or suspended. The operator goes down before it has
 * removed the cluster; that comes up, its job makes checkpoints, and ends.
 */
class UnseenRunTest {
    private static final JobView SILENT = new JobView.Unreachable("timed out");

    @Test
    void startsFromTheLastCheckpointOfAJobThatFailedWithoutAnybodyHavingSeenItRun() {
        var failed = replaced().withJob(JobState.FAILED, 0).withCheckpoint("file:/c/1");

        assertThat(failed.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(source(failed.decided())).contains("file:/c/1");
        assertThat(startOf(failed.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/1"));
    }

    @Test
    void resumesASuspendedJobFromThere() {
        var failed =
                withFormerCluster(neverUp("savepoint").withState("suspended"))
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/1");

        var resumed = failed.withSpec(available("savepoint")).decided();
        var atRest = failed.decided().withNothingLeft().decided();

        assertThat(startOf(resumed.withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/1"));
        assertThat(startOf(atRest.withState("running").decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/1"));
    }

    @Test
    void goesOnFromTheCheckpointsOfASuspendedJobThatCameUpBeforeItsClusterWasGone() {
        var suspended = withFormerCluster(neverUp("savepoint").withState("suspended"));

        var resumed = suspended.withState("running").decided();

        assertThat(resumed.observed().status().jobStatus().jobId())
                .isEqualTo(neverUp("savepoint").observed().status().jobStatus().jobId());
        assertThat(startOf(resumed.withRecovery().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.LastState());
    }

    @Test
    void removesNoClusterWhoseJobManagerHasYetToTellWhatItsJobLeft() {
        var unread =
                replaced()
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Unread("just ended"));

        assertThat(unread.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(unread.decide().actions()).isEmpty();
    }

    @Test
    void asksAJobManagerAgainForFiveMinutesThatDoesNotAnswer() {
        var silent = replaced().withJob(SILENT);

        assertThat(silent.decide().reason()).isEqualTo(Reason.STATE_UNREAD);
        assertThat(silent.decide().actions()).isEmpty();
        assertThat(silent.decided().later(Duration.ofMinutes(6)).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void startsFromNothingWhereTheJobHasLeftNothing() {
        var failed =
                replaced()
                        .withJob(JobState.FAILED, 0)
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

        assertThat(startOf(failed.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void asksAHumanWhereItsLastCheckpointIsGone() {
        var failed =
                replaced()
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("<checkpoint-not-externally-addressable>");

        assertThat(failed.decided().withNothingLeft().decide().reason())
                .isEqualTo(Reason.CHECKPOINT_NOT_FOUND);
    }

    @Test
    void looksForNothingThatTheUserDoesNotAskFor() {
        var failed = replaced().withJob(JobState.FAILED, 0).withCheckpoint("file:/c/1");

        assertThat(
                        startOf(
                                failed.withSpec(available("stateless"))
                                        .decided()
                                        .withNothingLeft()
                                        .decide()))
                .isEqualTo(new StartFrom.Nothing());
    }

    /** Nobody but its JobManager can tell of these checkpoints, which is about to be removed. */
    @Test
    void stopsARunThatNoMetadataTellOfAndStartsFromItsLastCheckpoint() {
        var runs = unavailable().withJob(JobState.RUNNING, 2).withCheckpoint("file:/c/1");

        var stopping = runs.decided();
        var ended = stopping.withJob(JobState.CANCELED, 0).withCheckpoint("file:/c/2").decided();

        assertThat(runs.decide().reason()).isEqualTo(Reason.JOB_CANCELLING);
        assertThat(runs.decide().actions()).hasOnlyElementsOfType(Action.CancelJob.class);
        assertThat(startOf(ended.withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/2"));
    }

    /** The nonce is that of the run itself: nobody has asked for its path once more. */
    @Test
    void stopsSuchARunThatItsUserHadStartedFromAPath() {
        var redeployed =
                Specs.inZooKeeper(
                        Specs.redeployed(
                                Specs.application("flink:1.20", "savepoint"), "file:/s/old", 1));
        var runs =
                withFormerCluster(
                                Snapshots.aNewResource("savepoint")
                                        .withSpec(redeployed)
                                        .decided()
                                        .withJobManagerNeverUp()
                                        .decided()
                                        .withSpec(Specs.withImage(redeployed, "new")))
                        .withJob(JobState.RUNNING, 2)
                        .withCheckpoint("file:/c/1");

        var ended = runs.decided().withJob(JobState.CANCELED, 0).withCheckpoint("file:/c/1");

        assertThat(runs.decide().reason()).isEqualTo(Reason.JOB_CANCELLING);
        assertThat(startOf(ended.decided().withNothingLeft().decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/c/1"));
    }

    @Test
    void removesARunAtOnceThatHasMadeNoCheckpoint() {
        var runs =
                unavailable()
                        .withJob(JobState.RUNNING, 2)
                        .withLast(new LastCheckpoints.Known(Checkpoints.NONE));

        assertThat(runs.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(
                        unavailable()
                                .withJob(JobState.INITIALIZING, 0)
                                .withRetention(new Retention.Unread("not initialized yet"))
                                .decide()
                                .actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    /** As {@link #replaced}, without high availability. */
    private static Snapshots unavailable() {
        return withFormerCluster(
                Snapshots.aNewResource("savepoint")
                        .decided()
                        .withJobManagerNeverUp()
                        .decided()
                        .withImage("new"));
    }

    /** The new attempt is on record, and the cluster of the one before stands. */
    private static Snapshots replaced() {
        return withFormerCluster(neverUp("savepoint").withImage("new"));
    }

    private static Snapshots withFormerCluster(Snapshots edited) {
        Optional<String> former = edited.observed().status().attempt().id();
        return edited.decided()
                .withCluster(
                        new ClusterView(
                                new JobManagerView.Present("deployment-1", former, true, true),
                                1,
                                Optional.empty()));
    }

    private static Snapshots neverUp(String upgradeMode) {
        return Snapshots.aNewResource(upgradeMode)
                .withSpec(available(upgradeMode))
                .decided()
                .withJobManagerNeverUp()
                .decided();
    }

    private static ObjectNode available(String upgradeMode) {
        return Specs.highlyAvailable(Specs.application("flink:1.20", upgradeMode));
    }
}
