// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.deployment.FlinkDeploymentReconciliation;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.StatusStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a dead end finds the checkpoint that it names. */
class LatestCheckpointTest {
    private static final String SEEN = "s3://c/chk-6";

    @Test
    void isNamedWithItsTimeWhereTheJobManagerIsMissing() {
        Decision missing =
                aRunningDeployment("savepoint").withNothingLeft().withCheckpointSeen(SEEN).decide();

        assertThat(missing.reason()).isEqualTo(Reason.JOB_MANAGER_MISSING);
        assertThat(missing.detail()).contains(SEEN, NOW.toString());
        assertThat(missing.actions()).as("nothing is started from it").isEmpty();
    }

    @Test
    void isNamedWhereTheClusterIsGoneWhileTheJobWasBeingStopped() {
        Decision removed =
                aRunningDeployment("savepoint")
                        .withImage("new")
                        .decided()
                        .withNothingLeft()
                        .withCheckpointSeen(SEEN)
                        .decide();

        assertThat(removed.reason()).isEqualTo(Reason.JOB_MANAGER_MISSING);
        assertThat(removed.detail()).contains(SEEN);
    }

    @Test
    void isNamedWhereTheJobIsNotListed() {
        Decision gone =
                aRunningDeployment("savepoint")
                        .withJob(new JobView.NotListed())
                        .withCheckpointSeen(SEEN)
                        .decided()
                        .later(Duration.ofMinutes(6))
                        .decide();

        assertThat(gone.reason()).isEqualTo(Reason.JOB_NOT_FOUND);
        assertThat(gone.detail()).contains(SEEN);
    }

    @Test
    void isPutOnRecordByAWriteThatHappensAnyway() {
        Snapshots missing =
                aRunningDeployment("savepoint").withNothingLeft().withCheckpointSeen(SEEN);

        assertThat(written(missing))
                .singleElement()
                .satisfies(
                        status ->
                                assertThat(status.attempt().lastCheckpoint())
                                        .contains(new SeenCheckpoint(SEEN, Optional.of(NOW))));
    }

    @Test
    void makesNoWriteByItself() {
        assertThat(written(aRunningDeployment("savepoint").withCheckpointSeen(SEEN))).isEmpty();
    }

    @Test
    void isNotThatOfAJobThatWasBegunAnew() {
        Snapshots anew =
                aRunningDeployment("savepoint")
                        .withImage("new")
                        .decided()
                        .withJobOfAnotherRun(JobState.RUNNING, 2)
                        .withCheckpoint("s3://c/of-the-new-run");

        assertThat(anew.decide().reason()).isEqualTo(Reason.STATE_IN_DOUBT);
        assertThat(anew.decide().detail()).doesNotContain("of-the-new-run");
        assertThat(written(anew))
                .allSatisfy(status -> assertThat(status.attempt().lastCheckpoint()).isEmpty());
    }

    @Test
    void isLeftBehindByAnAttemptWithAStateOfItsOwn() {
        Snapshots redeployed =
                aRunningDeployment("savepoint")
                        .withCheckpointSeen(SEEN)
                        .withSpec(
                                Specs.redeployed(
                                        Specs.application("flink:1.20", "savepoint"), "s3://s", 1));

        assertThat(written(redeployed))
                .allSatisfy(status -> assertThat(status.attempt().lastCheckpoint()).isEmpty());
    }

    /** The statuses that one pass over what is there writes. */
    private static List<FlinkDeploymentStatus> written(Snapshots there) {
        List<FlinkDeploymentStatus> written = new ArrayList<>();
        var resource = new FlinkDeployment();
        resource.setStatus(there.observed().status().onto(JsonNodeFactory.instance.objectNode()));
        new FlinkDeploymentReconciliation(
                        _ -> there.observed(),
                        (_, status) -> {
                            written.add(FlinkDeploymentStatus.of(status));
                            return StatusStore.Saved.KEPT;
                        },
                        (_, _) -> {},
                        (_, _) -> {},
                        new ObservationMemory())
                .run(resource);
        return written;
    }
}
