// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the events say of the state that a job is started from. */
class RestorableStateTextTest {
    private static final SavepointStatus DONE = new SavepointStatus.Completed("file:/s/1");

    @Test
    void namesASavepointAndItsAge() {
        var stopped = aRunningDeployment("savepoint").withImage("new").decided().withStop(DONE);

        assertThat(told(stopped, "Submit"))
                .isEqualTo("Starting deployment from savepoint file:/s/1, 0 s old");
    }

    @Test
    void namesTheCheckpointThatACancelledJobLeft() {
        var cancelled =
                aRunningDeployment("last-state")
                        .withImage("new")
                        .decided()
                        .withJob(JobState.CANCELED, 0)
                        .withCheckpoint("file:/c/7")
                        .later(Duration.ofMinutes(3));

        assertThat(told(cancelled, "Submit"))
                .isEqualTo("Starting deployment from checkpoint file:/c/7, 3 min old");
    }

    @Test
    void namesTheCheckpointThatWasSeenWhereOnlyMetadataKnowsTheLast() {
        var changed =
                aHighlyAvailableDeployment()
                        .withCheckpoint("file:/c/7")
                        .later(Duration.ofSeconds(35))
                        .withImage("new");

        assertThat(told(changed, "Submit"))
                .isEqualTo(
                        "Starting deployment from the last checkpoint in high-availability metadata"
                                + " (last seen: file:/c/7, 35 s old)");
        assertThat(told(aHighlyAvailableDeployment().withNothingLeft(), "RecoverDeployment"))
                .isEqualTo(
                        "Recovering the lost deployment from the last checkpoint in"
                                + " high-availability metadata");
    }

    @Test
    void ofAStateThatNobodyKnowsMoreOfNamesThePath() {
        var spec = Specs.application("flink:1.20", "savepoint");
        spec.withObject("/job").put("initialSavepointPath", "file:/theirs");

        assertThat(told(aNewResource().withSpec(spec), "Submit"))
                .isEqualTo("Starting deployment from file:/theirs");
    }

    private static String told(Snapshots snapshots, String reason) {
        Optional<ResourceEvent> told =
                snapshots.decide().notes().stream()
                        .filter(event -> event.reason().equals(reason))
                        .findFirst();
        return told.orElseThrow().message();
    }
}
