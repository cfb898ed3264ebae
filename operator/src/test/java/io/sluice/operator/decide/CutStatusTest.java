// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Statuses.stored;
import static io.sluice.operator.decide.Statuses.withLastSpec;
import static io.sluice.operator.decide.Statuses.withoutAttempt;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobState;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ApacheStatusMigration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A status of Sluice's own that has lost a field, its last reconciled spec or everything: to a
 * human, a tool, or a CRD that does not know it.
 */
class CutStatusTest {
    @Test
    void namesAnAttemptThatIsGoneFromTheRecordAfterTheClusterThatStands() {
        var running = aRunningDeployment("savepoint");

        var read =
                read(
                        withoutAttempt(running.observed().status()),
                        Optional.of(existing("7846cf")),
                        running);

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

        var read = read(withoutAttempt(stopping.observed().status()), Optional.empty(), stopping);
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
        ObjectNode stored = stored(cancelling.observed().status());
        stored.withObject("/jobStatus").remove("startTime");

        var cut = cancelling.withStatus(FlinkDeploymentStatus.of(stored));

        assertThat(cancelling.decide().reason()).isEqualTo(Reason.JOB_CANCELLING);
        assertThat(cut.decide().reason()).isEqualTo(Reason.STATE_IN_DOUBT);
        assertThat(cut.decide().actions()).isEmpty();
    }

    @Test
    void beginsNothingWhereTheLastReconciledSpecCannotBeRead() {
        var cut = aRunningDeployment("savepoint");
        var status = withLastSpec(Optional.of("{\"spec\":{\"job\""), cut.observed().status());

        assertThat(cut.withStatus(status).decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(cut.withStatus(status).withNothingLeft().decide().actions()).isEmpty();
    }

    @Test
    void beginsNothingWhereAClusterOfItsOwnStandsBesideAnEmptyStatus() {
        var wiped =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW);

        assertThat(wiped.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(wiped.decide().actions()).isEmpty();
    }

    @Test
    void startsNothingFromNothingWhereTheStatusTellsOfStateAndNotOfASpec() {
        var running = aRunningDeployment("savepoint");
        ObjectNode stored = stored(running.observed().status());
        stored.remove("reconciliationStatus");
        stored.withObject("/jobStatus").put("upgradeSavepointPath", "file:/s/9");

        var cut = running.withStatus(FlinkDeploymentStatus.of(stored)).withNothingLeft();

        assertThat(cut.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(cut.decide().actions()).isEmpty();
        assertThat(cut.decide().detail()).contains("file:/s/9");
        assertThat(startOf(cut.withSpec(Specs.application("flink:1.20", "stateless")).decide()))
                .isEqualTo(new StartFrom.Nothing());
    }

    /** Without its stop on record, an upgrade looks like one whose job has never begun. */
    @Test
    void startsNothingFromNothingOfAJobThatBeganSoAndWasSeenWhoseStopIsGoneFromTheRecord() {
        var stopping =
                aNewResource("stateless")
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 1)
                        .decided()
                        .withCheckpoint("file:/c/1")
                        .withSpec(Specs.application("new", "savepoint"))
                        .decided();
        ObjectNode stored = stored(stopping.observed().status());
        stored.withObject("/attempt").remove("stop");

        var cut = stopping.withStatus(FlinkDeploymentStatus.of(stored)).withNothingLeft();

        assertThat(stopping.observed().status().attempt().stop()).isPresent();
        assertThat(cut.withJob(new JobView.NotAsked()).decide().actions()).isEmpty();
    }

    @Test
    void staysSoWhenTheClusterIsGoneUntilTheStatusIsRemoved() {
        var gone =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW)
                        .decided()
                        .withNothingLeft();
        ObjectNode named =
                Specs.redeployed(Specs.application("flink:1.20", "savepoint"), "file:/s/1", 1);

        assertThat(gone.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(gone.withSpec(named).decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(startOf(gone.withSpec(named).withStatus(FlinkDeploymentStatus.NEW).decide()))
                .isEqualTo(new StartFrom.Savepoint("file:/s/1"));
    }

    /** At rest it starts nothing, and may be stateful when it is resumed. */
    @Test
    void staysSoWhileAStatelessJobIsSuspended() {
        var held =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW)
                        .decided()
                        .withNothingLeft();
        var atRest =
                held.withSpec(
                                Specs.withState(
                                        Specs.application("flink:1.20", "stateless"), "suspended"))
                        .decided();

        var resumed = atRest.withSpec(Specs.application("flink:1.20", "savepoint"));

        assertThat(atRest.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(resumed.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(resumed.decide().actions()).isEmpty();
        assertThat(startOf(atRest.withState("running").decide()))
                .isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void staysSoWhileTheSpecIsInvalid() {
        var invalid =
                aRunningDeployment("savepoint")
                        .withOwnJobManager()
                        .withStatus(FlinkDeploymentStatus.NEW)
                        .decided()
                        .withNothingLeft()
                        .withInvalidSpec("image")
                        .decided();

        assertThat(invalid.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(invalid.decide().detail()).contains("image");
        assertThat(invalid.withSpec(Specs.application("new", "savepoint")).decide().actions())
                .isEmpty();
    }

    @Test
    void leavesAClusterAloneThatWasMadeByHandAfterTheFirstAttemptWasRefused() {
        var refused = aNewResource("stateless").decided().withRefusal("quota exceeded").decided();
        var theirs = refused.withJobManagerOfTheirs();

        assertThat(theirs.decide().actions()).isEmpty();
        assertThat(theirs.withImage("new").decide().actions()).isEmpty();
        assertThat(theirs.withState("suspended").decide().actions()).isEmpty();
        assertThat(theirs.decide().detail()).contains("not made for it");
    }

    private static FlinkDeploymentStatus read(
            ObjectNode stored, Optional<Deployment> jobManager, Snapshots snapshots) {
        return ApacheStatusMigration.read(stored, jobManager, snapshots.observed().now());
    }

    private static Deployment existing(String attempt) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .addToAnnotations(ManifestRenderer.ATTEMPT_ANNOTATION, attempt)
                .endMetadata()
                .build();
    }
}
