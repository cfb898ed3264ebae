// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobState;
import io.sluice.operator.manifest.ManifestRenderer;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ApacheStatusMigration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A status of Sluice's own that has lost a field: to a human, a tool, or a CRD that does not know
 * it.
 */
class CutStatusTest {
    @Test
    void namesAnAttemptThatIsGoneFromTheRecordAfterTheClusterThatStands() {
        var running = aRunningDeployment("savepoint");

        var read = read(withoutAttempt(running), Optional.of(standing("7846cf")), running);

        assertThat(read.attempt().id()).contains("7846cf");
    }

    @Test
    void doesNotStartAJobFromWhereItBeganWhoseStopIsGoneFromTheRecordWithItsCluster() {
        var stopping =
                aDeployment("savepoint")
                        .withJobManager(true)
                        .withJob(JobState.FAILED, 0)
                        .withCheckpoint("file:/c/1")
                        .decided()
                        .withImage("new")
                        .decided()
                        .withNothingLeft()
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withImage("newer")
                        .decided();

        var read = read(withoutAttempt(stopping), Optional.empty(), stopping);
        var gone = stopping.withStatus(read).withNothingLeft().withJob(new JobView.NotAsked());

        assertThat(stopping.observed().status().attempt().stop()).isPresent();
        assertThat(gone.decide().actions()).isEmpty();
        assertThat(gone.decide().reason().outlook()).isEqualTo(Reason.Outlook.STALLED);
    }

    @Test
    void removesNoClusterOfAJobThatIsBeingStoppedWhoseStartIsGoneFromTheRecord() {
        var cancelling =
                aRunningDeployment("savepoint")
                        .withSpec(
                                Specs.withState(
                                        Specs.application("flink:1.20", "last-state"), "suspended"))
                        .withCheckpoint("file:/c/1")
                        .decided();
        ObjectNode stored = stored(cancelling);
        stored.withObject("/jobStatus").remove("startTime");

        var cut = cancelling.withStatus(FlinkDeploymentStatus.of(stored));

        assertThat(cancelling.decide().reason()).isEqualTo(Reason.JOB_CANCELLING);
        assertThat(cut.decide().reason()).isEqualTo(Reason.STATE_IN_DOUBT);
        assertThat(cut.decide().actions()).isEmpty();
    }

    private static FlinkDeploymentStatus read(
            ObjectNode stored, Optional<Deployment> jobManager, Snapshots snapshots) {
        return ApacheStatusMigration.read(stored, jobManager, snapshots.observed().now());
    }

    private static ObjectNode withoutAttempt(Snapshots snapshots) {
        ObjectNode stored = stored(snapshots);
        stored.remove("attempt");
        return stored;
    }

    private static ObjectNode stored(Snapshots snapshots) {
        return snapshots.observed().status().onto(JsonNodeFactory.instance.objectNode());
    }

    private static Deployment standing(String attempt) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .addToAnnotations(ManifestRenderer.ATTEMPT_ANNOTATION, attempt)
                .endMetadata()
                .build();
    }
}
