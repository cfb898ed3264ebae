// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.session;

import static io.sluice.operator.system.session.OperatedSession.around;
import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A session cluster that makes way for another one or is deleted, and the jobs on it. */
class SessionClusterReplacementIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private OperatedSession session;

    @BeforeEach
    void start() {
        session = new OperatedSession(API.client(), API.newNamespace());
    }

    @AfterEach
    void stop() {
        session.close();
    }

    @Test
    void waitsWithTheClustersReplacementUntilItsJobHasLeft() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        String first = session.flink().runs().getFirst().jobId();
        session.flink().job(first).orElseThrow().holdsStops();

        session.upgradeCluster();
        soon(() -> assertThat(session.cluster()).isEqualTo("False WaitingForSessionJobs"));
        soon(() -> assertThat(session.job("report")).isEqualTo("False SavepointInProgress"));
        assertThat(session.kubelet.deployment("session")).isPresent();
        assertThat(session.kubelet.isLeaving("session")).isFalse();
        session.flink().job(first).orElseThrow().finishStop();
        soon(() -> assertThat(session.kubelet.isLeaving("session")).isTrue());
        // The former process is gone before there is a next one.
        session.flink().restartEmpty();

        soon(
                () -> {
                    session.kubelet.finishDeletion("session");
                    assertThat(session.kubelet.deployment("session"))
                            .hasValueSatisfying(
                                    found -> assertThat(found.toString()).contains("1.20-new"));
                });
        session.kubelet.makeAvailable("session");
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        assertThat(session.flink().runs().getLast().savepointPath()).isPresent();
    }

    /** The metadata of a job that ends are deleted: what became of it only its JobManager knows. */
    @Test
    void waitsForAStopUnderWayWithAHighlyAvailableClusterToo() {
        session.clusterUp(Specs.highlyAvailable(SessionSnapshots.sessionCluster()));
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        session.create(new FlinkSessionJob(), "other", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        soon(() -> assertThat(session.job("other")).isEqualTo("True JobRunning"));
        String stopping = session.jobId("report");
        session.flink().job(stopping).orElseThrow().holdsStops();

        session.edit("report", spec -> spec.put("restartNonce", 1));
        soon(() -> assertThat(session.job("report")).isEqualTo("False SavepointInProgress"));
        session.upgradeCluster();
        soon(() -> assertThat(session.cluster()).isEqualTo("False WaitingForSessionJobs"));
        session.flink().job(stopping).orElseThrow().finishStop();

        soon(() -> assertThat(session.kubelet.isLeaving("session")).isTrue());
        assertThat(
                        session.status(FlinkSessionJob.class, "report")
                                .at("/jobStatus/upgradeSavepointPath")
                                .asText())
                .contains("savepoint-");
        assertThat(session.flink().runs()).as("none has left, none has been run anew").hasSize(2);
    }

    @Test
    void endsNoJobWhoseClusterIsBeingReplacedUntilThatHasSeenTheStop() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        session.stopOperator();
        FlinkSessionJob edited = session.found(FlinkSessionJob.class, "report").orElseThrow();
        edited.getSpec().put("restartNonce", 1);
        FlinkDeployment late = session.found(FlinkDeployment.class, "session").orElseThrow();
        FlinkDeployment going = session.found(FlinkDeployment.class, "session").orElseThrow();
        going.getStatus().withObject("/reconciliationStatus").put("state", "UPGRADING");
        session.client.resource(going).updateStatus();

        pass(edited, late, InstantSource.system());

        assertThat(edited.getStatus().at("/attempt/stop/how").asText()).isEqualTo("savepoint");
        assertThat(session.jobStates()).containsExactly("RUNNING");

        pass(edited, late, () -> Instant.now().plusSeconds(60));

        assertThat(session.jobStates()).containsExactly("FINISHED");
    }

    @Test
    void saysWhatToDoAboutAJobManagerThatAnswersNoMoreAndGoesOnOnceItDoes() {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        session.restartOperator(() -> Instant.now().plus(ahead.get()));
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        session.flink().goSilent();

        session.upgradeCluster();

        soon(
                () -> {
                    ahead.updateAndGet(now -> now.plusSeconds(3));
                    assertThat(session.cluster()).isEqualTo("False SessionClusterSilent");
                });
        assertThat(session.kubelet.isLeaving("session")).isFalse();
        soon(
                () ->
                        assertThat(session.events("SessionClusterSilent"))
                                .contains(
                                        "kubectl delete deployment session -n "
                                                + session.namespace));
        session.flink().answer();
        soon(() -> assertThat(session.kubelet.isLeaving("session")).isTrue());
        assertThat(
                        session.status(FlinkSessionJob.class, "report")
                                .at("/jobStatus/upgradeSavepointPath")
                                .asText())
                .contains("savepoint-");
    }

    @Test
    void deletesInEitherOrder() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        session.delete(FlinkDeployment.class, "session");
        soon(() -> assertThat(session.cluster()).isEqualTo("False SessionJobsLeft"));

        session.delete(FlinkSessionJob.class, "report");

        soon(() -> assertThat(session.found(FlinkSessionJob.class, "report")).isEmpty());
        soon(
                () -> {
                    session.kubelet.finishDeletion("session");
                    assertThat(session.found(FlinkDeployment.class, "session")).isEmpty();
                });
    }

    @Test
    void asksForTheClusterBeforeItReleasesAJobByWhatACacheSays() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        FlinkSessionJob deleted = session.found(FlinkSessionJob.class, "report").orElseThrow();
        deleted.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        FlinkDeployment late = session.found(FlinkDeployment.class, "session").orElseThrow();
        late.getStatus().put("jobManagerDeploymentStatus", "MISSING");

        var outcome = pass(deleted, late, InstantSource.system());

        assertThat(outcome.released()).isFalse();
        assertThat(outcome.reason()).isEqualTo(Reason.DELETING);
        soon(() -> assertThat(session.jobStates()).containsExactly("CANCELED"));
    }

    /** One that reads {@code cluster} from a cache. */
    private Reconciliation.Outcome pass(
            FlinkSessionJob job, FlinkDeployment cluster, InstantSource clock) {
        return session.jobs(clock, _ -> new Fetched.Refused("not asked for"))
                .passes((_, _) -> {}, new ObservationMemory())
                .reconcile(
                        job,
                        around(cluster),
                        (read, status) -> {
                            read.setStatus(status);
                            return StatusStore.Saved.KEPT;
                        });
    }
}
