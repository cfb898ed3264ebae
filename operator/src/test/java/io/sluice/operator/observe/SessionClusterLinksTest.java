// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Target.SessionClusterView;
import io.sluice.operator.model.Target.SessionJobView;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionClusterLinksTest {
    /** Whatever refuses that its spec names another one since. */
    @Test
    void aJobIsOnTheClusterThatItWasFirstDeployedTo() {
        FlinkSessionJob job =
                SessionSnapshots.resource(SessionSnapshots.aRunningSessionJob("last-state"));
        job.getSpec().put("deploymentName", "elsewhere");

        assertThat(SessionClusterLinks.isOn("session", job)).isTrue();
        assertThat(SessionClusterLinks.isOn("elsewhere", job)).isFalse();
    }

    @Test
    void aJobThatHasNeverBegunIsOnTheClusterThatItNames() {
        FlinkSessionJob job =
                SessionSnapshots.resource(SessionSnapshots.aNewSessionJob("last-state"));
        job.getSpec().put("deploymentName", "elsewhere");

        assertThat(SessionClusterLinks.isOn("elsewhere", job)).isTrue();
    }

    /** No job is handed to a cluster that is about to go, whatever keeps it from that. */
    @Test
    void aClusterThatHoldsItsReplacementBackIsParting() {
        Snapshots silent =
                SessionSnapshots.aReadySessionCluster()
                        .withTarget(SessionSnapshots.silentSince(Snapshots.NOW))
                        .later(Duration.ofMinutes(6))
                        .withImage("new")
                        .decided();

        SessionClusterView host =
                SessionClusterLinks.of(
                        "session",
                        Optional.of(SessionSnapshots.cluster(silent)),
                        DefaultConfiguration.NONE);

        assertThat(silent.observed().status().condition("Ready").orElseThrow().reason())
                .isEqualTo(Reason.SESSION_CLUSTER_SILENT.wire());
        assertThat(host.beingReplaced()).isTrue();
        assertThat(host.takesJobs()).isFalse();
    }

    @Test
    void aJobThatRunsIsNeitherEndingNorSettled() {
        SessionJobView sessionJob = sessionJob(SessionSnapshots.aRunningSessionJob("last-state"));

        assertThat(sessionJob.keepsState()).isTrue();
        assertThat(sessionJob.isEnding()).isFalse();
        assertThat(sessionJob.isSettled()).isFalse();
    }

    @Test
    void aStopOnRecordIsUnderWayUntilWhatCameOfItIsOnRecordToo() {
        Snapshots stopping =
                SessionSnapshots.aRunningSessionJob("last-state")
                        .withCheckpoint("s3://c/1")
                        .withRestartNonce(1)
                        .decided();
        assertThat(sessionJob(stopping).isEnding()).isTrue();
        assertThat(sessionJob(stopping).isSettled()).isFalse();

        SessionJobView next = sessionJob(ended(stopping, "s3://c/chk-7").decided());

        assertThat(next.isEnding()).isFalse();
        assertThat(next.jobId()).isNotEqualTo(sessionJob(stopping).jobId());
    }

    @Test
    void anEndOnRecordIsSettled() {
        Snapshots finished =
                SessionSnapshots.aRunningSessionJob("stateless").withJob(JobState.FINISHED, 0);
        assertThat(sessionJob(finished).isSettled()).isFalse();

        assertThat(sessionJob(finished.decided()).isSettled()).isTrue();
    }

    /** Its job has ended, and its JobManager lists that for as long as it lives. */
    @Test
    void aJobAtRestIsSettled() {
        Snapshots resting =
                ended(
                                SessionSnapshots.aRunningSessionJob("last-state")
                                        .withState("suspended")
                                        .decided(),
                                "s3://c/chk-7")
                        .decided()
                        .decided();

        assertThat(sessionJob(resting).isSettled()).isTrue();
        assertThat(sessionJob(resting).isEnding()).isFalse();
    }

    /** The JobManager has told all it knows: to wait for it would be to wait for ever. */
    @Test
    void aStopWhoseOutcomeAHumanIsAskedAboutIsSettled() {
        Snapshots asking =
                ended(
                                SessionSnapshots.aRunningSessionJob("last-state")
                                        .withRestartNonce(1)
                                        .decided(),
                                "<checkpoint-not-externally-addressable>")
                        .decided();
        assertThat(asking.decide().reason()).isEqualTo(Reason.CHECKPOINT_NOT_FOUND);

        assertThat(sessionJob(asking).isSettled()).isTrue();
        assertThat(sessionJob(asking).isEnding()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "READY, READY",
        "MISSING, DOWN",
        "DEPLOYING, NOT_READY",
        "DEPLOYED_NOT_READY, NOT_READY",
        "ERROR, NOT_READY"
    })
    void aClusterIsDownOnlyIfItsResourceSaysThatItHasNoJobManager(
            JobManagerDeploymentState reported, SessionClusterView.State seen) {
        FlinkDeployment cluster = SessionSnapshots.cluster(SessionSnapshots.aReadySessionCluster());
        cluster.getStatus().put("jobManagerDeploymentStatus", reported.wire());

        assertThat(
                        SessionClusterLinks.of(
                                        "session", Optional.of(cluster), DefaultConfiguration.NONE)
                                .state())
                .isEqualTo(seen);
    }

    @Test
    void aClusterKeepsItsJobsIfItIsHighlyAvailableBeforeAndAfterOnTheSameFlink() {
        ObjectNode available = Specs.highlyAvailable(SessionSnapshots.sessionCluster());
        Snapshots cluster = SessionSnapshots.aReadySessionCluster(available);

        assertThat(host(cluster.withImage("new")).keepsJobs()).isTrue();
        assertThat(
                        host(cluster.withSpec(available.deepCopy().put("flinkVersion", "v2_0")))
                                .keepsJobs())
                .isFalse();
        assertThat(host(cluster.withSpec(SessionSnapshots.sessionCluster())).keepsJobs()).isFalse();
    }

    @Test
    void aClusterThatMovesItsMetadataKeepsNoJobs() {
        ObjectNode spec = Specs.inZooKeeper(SessionSnapshots.sessionCluster());
        Snapshots cluster = SessionSnapshots.aReadySessionCluster(spec);
        ObjectNode moved = Specs.highlyAvailable(SessionSnapshots.sessionCluster());

        assertThat(host(cluster.withImage("new")).keepsJobs()).isTrue();
        assertThat(host(cluster.withSpec(moved)).keepsJobs()).isFalse();
        assertThat(host(cluster.withSpec(moved)).highlyAvailable()).isTrue();
    }

    @Test
    void aClusterIsBeingReplacedFromTheMomentThatThisIsOnRecord() {
        Snapshots changed = SessionSnapshots.aReadySessionCluster().withImage("new");

        assertThat(SessionClusterLinks.isBeingReplaced(SessionSnapshots.cluster(changed)))
                .isFalse();
        assertThat(SessionClusterLinks.isBeingReplaced(SessionSnapshots.cluster(changed.decided())))
                .isTrue();
    }

    private static Snapshots ended(Snapshots of, String checkpoint) {
        return of.withJob(JobState.CANCELED, 0).withCheckpoint(checkpoint);
    }

    private static SessionJobView sessionJob(Snapshots of) {
        return SessionClusterLinks.sessionJob(SessionSnapshots.resource(of));
    }

    private static SessionClusterView host(Snapshots of) {
        return SessionClusterLinks.of(
                "session", Optional.of(SessionSnapshots.cluster(of)), DefaultConfiguration.NONE);
    }
}
