// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.session;

import static io.sluice.operator.system.session.OperatedSession.around;
import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Session jobs that are submitted, run and changed, wherever their specs point. */
class SessionIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private OperatedSession session;
    @TempDir private Path folder;
    private Path jar;

    @BeforeEach
    void start() throws IOException {
        jar = Files.writeString(folder.resolve("report.jar"), "a jar");
        session = new OperatedSession(API.client(), API.newNamespace());
    }

    @AfterEach
    void stop() {
        session.close();
    }

    @Test
    void bringsAClusterUpAndItsJobsOnIt() {
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("False WaitingForSessionCluster"));

        session.clusterUp();
        session.create(new FlinkSessionJob(), "other", SessionSnapshots.sessionJob("stateless"));

        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        soon(() -> assertThat(session.job("other")).isEqualTo("True JobRunning"));
        assertThat(session.flink().runs()).hasSize(2);
        soon(() -> assertThat(session.flink().jarCount()).isZero());
        assertThat(session.jobId("report"))
                .isIn(session.flink().runs().stream().map(RunRequest::jobId).toList());
    }

    @Test
    void aClusterTellsWhatItRunsAndThenCostsTheApiServerNothing() {
        session.clusterUp();
        assertThat(
                        session.status(FlinkDeployment.class, "session")
                                .at("/clusterInfo/flink-version")
                                .asText())
                .isEqualTo(session.version());
        int calls = session.flink().calls();
        ApiRequests before = ApiRequests.of(session.client);

        soon(() -> assertThat(session.flink().calls()).isGreaterThan(calls + 5));

        assertThat(ApiRequests.of(session.client).since(before).byKind()).isEmpty();
    }

    @Test
    void takesAJobsStateAlongWithoutASecondRun() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));

        session.edit("report", spec -> spec.put("restartNonce", 1));

        soon(() -> assertThat(session.flink().runs()).hasSize(2));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        assertThat(session.flink().runs().getLast().savepointPath())
                .hasValueSatisfying(path -> assertThat(path).contains("savepoint-"));
        assertThat(session.flink().job(session.flink().runs().getFirst().jobId())).isPresent();
        soon(() -> assertThat(session.counts("SpecChanged")).containsExactly(1));
    }

    @Test
    void cancelsNoJobWhoseStateWouldGoWithThat() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("last-state"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        FakeJob first = session.flink().job(session.jobId("report")).orElseThrow();
        first.hasCheckpoints(CheckpointRetention.DELETED);
        first.is("RESTARTING");

        session.edit("report", spec -> spec.put("restartNonce", 1));
        soon(() -> assertThat(session.job("report")).isEqualTo("False CheckpointsNotRetained"));
        first.is("RUNNING");

        soon(() -> assertThat(session.flink().runs()).hasSize(2));
        assertThat(session.flink().runs().getLast().savepointPath())
                .hasValueSatisfying(path -> assertThat(path).contains("savepoint-"));
    }

    @Test
    void submitsAgainAfterARestartOfTheOperatorUnderTheSameId() {
        session.clusterUp();
        session.flink().goSilent();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(session.jobId("report")).isNotEmpty());
        String jobId = session.jobId("report");
        session.restartWithItsJobManager();

        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));

        assertThat(session.flink().runs()).extracting(RunRequest::jobId).containsExactly(jobId);
    }

    @Test
    void asksAgainWhereTheAnswerToARunRequestIsLost() {
        session.clusterUp();
        session.flink().losesARun();

        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));

        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        assertThat(session.flink().runs()).hasSize(1);
        assertThat(session.client.v1().events().inNamespace(session.namespace).list().getItems())
                .as("that nothing came of it is not certain, and must not be said")
                .noneMatch(event -> event.getReason().equals("Error"));
    }

    /** What another operator has recorded while this one stood still. */
    enum Recorded {
        NOTHING,
        /** With the same jar. */
        ANOTHER_ATTEMPT,
        /** The jar of the attempt is not on record any more. */
        A_REFUSAL
    }

    /** The operator stands still while it fetches the jar, and another one takes over. */
    @ParameterizedTest
    @EnumSource
    void runsNoAttemptThatIsSuperseded(Recorded recorded) {
        session.clusterUp();
        session.stopOperator();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        FlinkSessionJob read = session.found(FlinkSessionJob.class, "report").orElseThrow();
        var fetching = new CountDownLatch(1);
        var fetched = new CountDownLatch(1);
        var late = new AtomicBoolean();
        Runnable pass = late(read, late, recorded, jar(fetching, fetched));
        await().until(
                        () -> {
                            pass.run();
                            return fetching.getCount() == 0;
                        });
        late.set(recorded != Recorded.NOTHING);
        fetched.countDown();
        await().until(() -> session.flink().jarCount() == 1);

        int expected = recorded == Recorded.NOTHING ? 1 : 0;
        await().during(Duration.ofSeconds(2))
                .untilAsserted(
                        () -> {
                            pass.run();
                            assertThat(session.flink().runs()).hasSizeLessThanOrEqualTo(expected);
                        });
        assertThat(session.flink().runs()).hasSize(expected);
    }

    @Test
    void saysWhyAJobCannotBeSubmitted() {
        session.clusterUp();
        ObjectNode spec = SessionSnapshots.sessionJob("stateless");
        spec.withObject("/job").put("jarURI", "https://repo.example.org/missing.jar");
        session.create(new FlinkSessionJob(), "report", spec);
        soon(() -> assertThat(session.job("report")).isEqualTo("False SubmissionRefused"));
        assertThat(session.status(FlinkSessionJob.class, "report").path("error").asText())
                .contains("HTTP 404");

        session.edit(
                "report",
                changed -> {
                    changed.withObject("/job").put("jarURI", "https://repo.example.org/a.jar");
                    return changed;
                });

        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
    }

    /** Neither a webhook nor the rules of a current CRD have to be there. */
    @Test
    void leavesAJobWhereItRunsWhateverClusterItsSpecNamesSince() {
        FakeCluster other = twoClustersAndAJob();
        try (var _ = new CrdWithoutRules(API)) {
            session.edit(
                    "report",
                    spec -> spec.put("deploymentName", "elsewhere").put("restartNonce", 1));
        }

        soon(() -> assertThat(session.job("report")).isEqualTo("False SpecInvalid"));
        soon(
                () ->
                        assertThat(session.events("ValidationError"))
                                .contains("deployment-name-immutable"));
        session.delete(FlinkDeployment.class, "elsewhere");
        soon(() -> assertThat(session.kubelet.isLeaving("elsewhere")).isTrue());
        session.delete(FlinkDeployment.class, "session");
        soon(() -> assertThat(session.cluster()).isEqualTo("False SessionJobsLeft"));
        assertThat(session.jobStates()).containsExactly("RUNNING");
        assertThat(other.runs()).isEmpty();

        session.delete(FlinkSessionJob.class, "report");

        soon(() -> assertThat(session.found(FlinkSessionJob.class, "report")).isEmpty());
        assertThat(session.jobStates()).containsExactly("CANCELED");
    }

    /** By then the CRD is a current one. */
    @Test
    void goesOnWithTheSpecOnceItNamesTheClusterOfTheJobAgain() {
        FakeCluster other = twoClustersAndAJob();
        try (var _ = new CrdWithoutRules(API)) {
            session.edit(
                    "report",
                    spec -> spec.put("deploymentName", "elsewhere").put("restartNonce", 1));
        }
        soon(() -> assertThat(session.job("report")).isEqualTo("False SpecInvalid"));

        session.edit("report", spec -> spec.put("deploymentName", "session"));

        soon(() -> assertThat(session.flink().runs()).hasSize(2));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        assertThat(session.flink().runs().getLast().savepointPath())
                .hasValueSatisfying(path -> assertThat(path).contains("savepoint-"));
        assertThat(other.runs()).isEmpty();
    }

    /** A job that waits for its cluster has none yet. */
    @Test
    void letsAJobThatHasNeverBegunNameAnotherCluster() {
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("False WaitingForSessionCluster"));
        FakeCluster other = session.clusterUp("elsewhere", SessionSnapshots.sessionCluster());

        session.edit("report", spec -> spec.put("deploymentName", "elsewhere"));

        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        assertThat(other.runs()).hasSize(1);
    }

    private FakeCluster twoClustersAndAJob() {
        session.clusterUp();
        session.create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(session.job("report")).isEqualTo("True JobRunning"));
        return session.clusterUp("elsewhere", SessionSnapshots.sessionCluster());
    }

    /** A jar that takes as long to fetch as the test wants. */
    private Artifacts jar(CountDownLatch fetching, CountDownLatch fetched) {
        return _ -> {
            fetching.countDown();
            await().until(() -> fetched.getCount() == 0);
            return new Fetched.Here(jar);
        };
    }

    /**
     * Reconciliations of a process over {@code read}.
     *
     * @param late from when on they go by what was read before
     * @param recorded by another operator since then
     */
    private Runnable late(
            FlinkSessionJob read, AtomicBoolean late, Recorded recorded, Artifacts artifacts) {
        FlinkDeployment cluster = session.found(FlinkDeployment.class, "session").orElseThrow();
        var resourceReconciler =
                session.jobs(InstantSource.system(), artifacts)
                        .passes((_, _) -> {}, new ObservationMemory());
        return () ->
                resourceReconciler.reconcile(
                        read,
                        around(cluster),
                        (job, status) -> {
                            job.setStatus(status);
                            if (!late.get()) {
                                job.setMetadata(
                                        session.client.resource(job).updateStatus().getMetadata());
                            } else if (recorded == Recorded.ANOTHER_ATTEMPT) {
                                recordAnotherAttempt(status);
                            }
                            return StatusStore.Saved.KEPT;
                        });
    }

    private void recordAnotherAttempt(ObjectNode status) {
        FlinkSessionJob now = session.found(FlinkSessionJob.class, "report").orElseThrow();
        now.setStatus(status.deepCopy());
        now.getStatus().withObject("/attempt").put("id", "b".repeat(32));
        session.client.resource(now).updateStatus();
    }
}
