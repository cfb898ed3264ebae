// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The operator does not read ZooKeeper. Metadata that lie in ConfigMaps in all these cases are of
 * an earlier attempt, and say nothing of the job's last state.
 */
class ZooKeeperTest {
    private static final String FOLDER = "file:///state/checkpoints";

    @Test
    void cancelsAJobThatRunsAndReadsItsLastCheckpointFromItsJobManager() {
        var upgrading =
                aRunningJob("last-state").withCheckpoint("file:/c/7").withImage("new").decide();

        assertThat(upgrading.actions()).hasExactlyElementsOfTypes(Action.CancelJob.class);
    }

    @Test
    void stopsAJobThatRunsWithASavepoint() {
        var upgrading = aRunningJob("savepoint").withImage("new").decide();

        assertThat(upgrading.actions()).hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"savepoint", "last-state"})
    void anUpgradeWaitsWhileTheJobManagerDoesNotAnswer(String mode) {
        var silent =
                aRunningJob(mode)
                        .withJob(new JobView.Unreachable("timed out"))
                        .decided()
                        .withImage("new");

        assertThat(silent.decide().reason()).isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(silent.decide().actions()).isEmpty();
        assertThat(
                        silent.withJob(JobState.RUNNING, 2)
                                .withCheckpoint("file:/c/7")
                                .decide()
                                .actions())
                .isNotEmpty();
    }

    @Test
    void asksAHumanWhereTheJobManagerIsGoneAndSaysInWhichFolderToLook() {
        var lost = aRunningJob("last-state").withNothingLeft();
        String job = lost.observed().status().jobStatus().jobId().orElseThrow();

        assertThat(lost.decide().reason()).isEqualTo(Reason.JOB_MANAGER_MISSING);
        assertThat(lost.decide().actions()).isEmpty();
        assertThat(lost.decide().detail())
                .contains(FOLDER + "/" + job)
                .contains("does not read ZooKeeper");
    }

    @Test
    void startsAStatelessJobAgainWhoseJobManagerIsGone() {
        var lost = aRunningJob("stateless").withNothingLeft();

        assertThat(lost.decide().reason()).isEqualTo(Reason.JOB_MANAGER_RECOVERED);
        assertThat(lost.decide().status().attempt().id())
                .isNotEqualTo(lost.observed().status().attempt().id());
    }

    @Test
    void doesNotGiveStateInConfigMapsToAJobThatMovesToZooKeeper() {
        var down =
                Snapshots.aHighlyAvailableDeployment()
                        .withJobManagerDown()
                        .withJob(new JobView.NotAsked())
                        .withSpec(spec("last-state"));

        assertThat(down.decide().actions()).isEmpty();
        assertThat(down.decide().status().attempt().id())
                .isEqualTo(down.observed().status().attempt().id());
    }

    private static Snapshots aRunningJob(String mode) {
        return Snapshots.aRecoverableDeployment(spec(mode));
    }

    private static ObjectNode spec(String mode) {
        return Specs.configured(
                Specs.inZooKeeper(Specs.application("flink:1.20", mode)),
                "execution.checkpointing.dir",
                FOLDER);
    }
}
