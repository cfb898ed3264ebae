// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.RunRequest;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Reason;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.sessionjob.SessionJobObserver.Around;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private KubernetesClient client;
    private Kubelet kubelet;
    private String namespace;
    private RunningOperator operator;
    private FakeCluster flink;
    @TempDir private Path folder;
    private Path jar;

    @BeforeEach
    void start() throws IOException {
        jar = Files.writeString(folder.resolve("report.jar"), "a jar");
        client = API.client();
        namespace = API.newNamespace();
        kubelet = new Kubelet(client, namespace);
        operator = new RunningOperator(client, namespace);
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void bringsAClusterUpAndItsJobsOnIt() {
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("False WaitingForSessionCluster"));

        clusterUp();
        create(new FlinkSessionJob(), "other", SessionSnapshots.sessionJob("stateless"));

        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        soon(() -> assertThat(job("other")).isEqualTo("True JobRunning"));
        assertThat(flink.runs()).hasSize(2);
        soon(() -> assertThat(flink.jarCount()).isZero());
        assertThat(status(FlinkSessionJob.class, "report").at("/jobStatus/jobId").asText())
                .isIn(flink.runs().stream().map(RunRequest::jobId).toList());
    }

    @Test
    void aClusterTellsWhatItRunsAndThenCostsTheApiServerNothing() {
        clusterUp();
        assertThat(
                        status(FlinkDeployment.class, "session")
                                .at("/clusterInfo/flink-version")
                                .asText())
                .isEqualTo(version());
        int calls = flink.calls();
        ApiRequests before = ApiRequests.of(client);

        soon(() -> assertThat(flink.calls()).isGreaterThan(calls + 5));

        assertThat(ApiRequests.of(client).since(before).byKind()).isEmpty();
    }

    @Test
    void takesAJobsStateAlongWithoutASecondRun() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));

        edit("report", spec -> spec.put("restartNonce", 1));

        soon(() -> assertThat(flink.runs()).hasSize(2));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        assertThat(flink.runs().getLast().savepointPath())
                .hasValueSatisfying(path -> assertThat(path).contains("savepoint-"));
        assertThat(flink.job(flink.runs().getFirst().jobId())).isPresent();
        soon(() -> assertThat(counts("SpecChanged")).containsExactly(1));
    }

    @Test
    void cancelsNoJobWhoseStateWouldGoWithThat() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("last-state"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        FakeJob first = flink.job(flink.runs().getFirst().jobId()).orElseThrow();
        first.hasCheckpoints(CheckpointRetention.DELETED);
        first.is("RESTARTING");

        edit("report", spec -> spec.put("restartNonce", 1));
        soon(() -> assertThat(job("report")).isEqualTo("False CheckpointsNotRetained"));
        first.is("RUNNING");

        soon(() -> assertThat(flink.runs()).hasSize(2));
        assertThat(flink.runs().getLast().savepointPath())
                .hasValueSatisfying(path -> assertThat(path).contains("savepoint-"));
    }

    @Test
    void submitsAgainAfterARestartOfTheOperatorUnderTheSameId() {
        clusterUp();
        flink.goSilent();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(
                () ->
                        assertThat(
                                        status(FlinkSessionJob.class, "report")
                                                .at("/jobStatus/jobId")
                                                .asText())
                                .isNotEmpty());
        String jobId = status(FlinkSessionJob.class, "report").at("/jobStatus/jobId").asText();
        operator.close();
        operator = new RunningOperator(client, namespace);
        flink = operator.jobManagers().start(RunningOperator.address(namespace, "session"));

        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));

        assertThat(flink.runs()).extracting(RunRequest::jobId).containsExactly(jobId);
    }

    @Test
    void asksAgainWhereTheAnswerToARunRequestIsLost() {
        clusterUp();
        flink.losesARun();

        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));

        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        assertThat(flink.runs()).hasSize(1);
        assertThat(client.v1().events().inNamespace(namespace).list().getItems())
                .as("that nothing came of it is not certain, and must not be said")
                .noneMatch(event -> event.getReason().equals("Error"));
    }

    /** The operator stands still while it fetches the jar, and another one takes over. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsNoAttemptThatIsSuperseded(boolean superseded) {
        clusterUp();
        operator.close();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        FlinkSessionJob read = found(FlinkSessionJob.class, "report").orElseThrow();
        var fetching = new CountDownLatch(1);
        var fetched = new CountDownLatch(1);
        var late = new AtomicBoolean();
        Runnable pass = late(read, late, jar(fetching, fetched));
        await().until(
                        () -> {
                            pass.run();
                            return fetching.getCount() == 0;
                        });
        if (superseded) {
            late.set(true);
            FlinkSessionJob now = found(FlinkSessionJob.class, "report").orElseThrow();
            now.getStatus().withObject("/attempt").put("id", "b".repeat(32));
            client.resource(now).updateStatus();
        }
        fetched.countDown();
        await().until(() -> flink.jarCount() == 1);

        await().during(Duration.ofSeconds(2))
                .untilAsserted(
                        () -> {
                            pass.run();
                            assertThat(flink.runs()).hasSizeLessThanOrEqualTo(superseded ? 0 : 1);
                        });
        assertThat(flink.runs()).hasSize(superseded ? 0 : 1);
    }

    @Test
    void saysWhyAJobCannotBeSubmitted() {
        clusterUp();
        ObjectNode spec = SessionSnapshots.sessionJob("stateless");
        spec.withObject("/job").put("jarURI", "https://repo.example.org/missing.jar");
        create(new FlinkSessionJob(), "report", spec);
        soon(() -> assertThat(job("report")).isEqualTo("False SubmissionRefused"));
        assertThat(status(FlinkSessionJob.class, "report").path("error").asText())
                .contains("HTTP 404");

        edit(
                "report",
                changed -> {
                    changed.withObject("/job").put("jarURI", "https://repo.example.org/a.jar");
                    return changed;
                });

        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
    }

    @Test
    void waitsWithTheClustersReplacementUntilItsJobHasLeft() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        String first = flink.runs().getFirst().jobId();
        flink.job(first).orElseThrow().holdsStops();

        kubectl()
                .edit(
                        FlinkDeployment.class,
                        "session",
                        spec -> spec.put("image", "flink:1.20-new"));
        soon(() -> assertThat(cluster()).isEqualTo("False WaitingForSessionJobs"));
        soon(() -> assertThat(job("report")).isEqualTo("False SavepointInProgress"));
        assertThat(kubelet.deployment("session").orElseThrow().getMetadata().getDeletionTimestamp())
                .isNull();
        flink.job(first).orElseThrow().finishStop();
        soon(() -> assertThat(kubelet.isLeaving("session")).isTrue());
        // The former process is gone before there is a next one.
        flink.restartEmpty();

        soon(
                () -> {
                    kubelet.finishDeletion("session");
                    assertThat(kubelet.deployment("session"))
                            .hasValueSatisfying(
                                    found -> assertThat(found.toString()).contains("1.20-new"));
                });
        kubelet.makeAvailable("session");
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        assertThat(flink.runs().getLast().savepointPath()).isPresent();
    }

    /** The metadata of a job that ends are deleted: what became of it only its JobManager knows. */
    @Test
    void waitsForAStopUnderWayWithAHighlyAvailableClusterToo() {
        clusterUp(Specs.highlyAvailable(SessionSnapshots.sessionCluster()));
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        create(new FlinkSessionJob(), "other", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        soon(() -> assertThat(job("other")).isEqualTo("True JobRunning"));
        String stopping = status(FlinkSessionJob.class, "report").at("/jobStatus/jobId").asText();
        flink.job(stopping).orElseThrow().holdsStops();

        edit("report", spec -> spec.put("restartNonce", 1));
        soon(() -> assertThat(job("report")).isEqualTo("False SavepointInProgress"));
        kubectl()
                .edit(
                        FlinkDeployment.class,
                        "session",
                        spec -> spec.put("image", "flink:1.20-new"));
        soon(() -> assertThat(cluster()).isEqualTo("False WaitingForSessionJobs"));
        flink.job(stopping).orElseThrow().finishStop();

        soon(() -> assertThat(kubelet.isLeaving("session")).isTrue());
        assertThat(
                        status(FlinkSessionJob.class, "report")
                                .at("/jobStatus/upgradeSavepointPath")
                                .asText())
                .contains("savepoint-");
        assertThat(flink.runs()).as("none has left, none has been run anew").hasSize(2);
    }

    @Test
    void endsNoJobWhoseClusterIsBeingReplacedUntilThatHasSeenTheStop() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        operator.close();
        FlinkSessionJob edited = found(FlinkSessionJob.class, "report").orElseThrow();
        edited.getSpec().put("restartNonce", 1);
        FlinkDeployment late = found(FlinkDeployment.class, "session").orElseThrow();
        FlinkDeployment going = found(FlinkDeployment.class, "session").orElseThrow();
        going.getStatus().withObject("/reconciliationStatus").put("state", "UPGRADING");
        client.resource(going).updateStatus();

        pass(edited, late, InstantSource.system());

        assertThat(edited.getStatus().at("/attempt/stop/how").asText()).isEqualTo("savepoint");
        assertThat(jobsOfTheCluster()).containsExactly("RUNNING");

        pass(edited, late, () -> Instant.now().plusSeconds(60));

        assertThat(jobsOfTheCluster()).containsExactly("FINISHED");
    }

    @Test
    void deletesInEitherOrder() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        delete(FlinkDeployment.class, "session");
        soon(() -> assertThat(cluster()).isEqualTo("False SessionJobsLeft"));

        delete(FlinkSessionJob.class, "report");

        soon(() -> assertThat(found(FlinkSessionJob.class, "report")).isEmpty());
        soon(
                () -> {
                    kubelet.finishDeletion("session");
                    assertThat(found(FlinkDeployment.class, "session")).isEmpty();
                });
    }

    @Test
    void asksForTheClusterBeforeItReleasesAJobByWhatACacheSays() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("stateless"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        FlinkSessionJob deleted = found(FlinkSessionJob.class, "report").orElseThrow();
        deleted.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        FlinkDeployment late = found(FlinkDeployment.class, "session").orElseThrow();
        late.getStatus().put("jobManagerDeploymentStatus", "MISSING");

        var outcome = pass(deleted, late, InstantSource.system());

        assertThat(outcome.released()).isFalse();
        assertThat(outcome.reason()).isEqualTo(Reason.DELETING);
        soon(() -> assertThat(jobsOfTheCluster()).containsExactly("CANCELED"));
    }

    @Test
    void saysWhatToDoAboutAJobManagerThatAnswersNoMoreAndGoesOnOnceItDoes() {
        operator.close();
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        operator =
                new RunningOperator(
                        client,
                        namespace,
                        new FakeJobManager(),
                        () -> Instant.now().plus(ahead.get()));
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        flink.goSilent();

        kubectl()
                .edit(
                        FlinkDeployment.class,
                        "session",
                        spec -> spec.put("image", "flink:1.20-new"));

        soon(
                () -> {
                    ahead.updateAndGet(now -> now.plusSeconds(3));
                    assertThat(cluster()).isEqualTo("False SessionClusterSilent");
                });
        assertThat(kubelet.isLeaving("session")).isFalse();
        soon(
                () ->
                        assertThat(events("SessionClusterSilent"))
                                .contains("kubectl delete deployment session -n " + namespace));
        flink.answer();
        soon(() -> assertThat(kubelet.isLeaving("session")).isTrue());
        assertThat(
                        status(FlinkSessionJob.class, "report")
                                .at("/jobStatus/upgradeSavepointPath")
                                .asText())
                .contains("savepoint-");
    }

    /** Neither a webhook nor the rules of a current CRD have to be there. */
    @Test
    void leavesAJobWhereItRunsWhateverClusterItsSpecNamesSince() {
        FakeCluster other = twoClustersAndAJob();
        try (var _ = new CrdWithoutRules(API)) {
            edit("report", spec -> spec.put("deploymentName", "elsewhere").put("restartNonce", 1));
        }

        soon(() -> assertThat(job("report")).isEqualTo("False SpecInvalid"));
        soon(() -> assertThat(events("ValidationError")).contains("deployment-name-immutable"));
        delete(FlinkDeployment.class, "elsewhere");
        soon(() -> assertThat(kubelet.isLeaving("elsewhere")).isTrue());
        delete(FlinkDeployment.class, "session");
        soon(() -> assertThat(cluster()).isEqualTo("False SessionJobsLeft"));
        assertThat(jobsOfTheCluster()).containsExactly("RUNNING");
        assertThat(other.runs()).isEmpty();

        delete(FlinkSessionJob.class, "report");

        soon(() -> assertThat(found(FlinkSessionJob.class, "report")).isEmpty());
        assertThat(jobsOfTheCluster()).containsExactly("CANCELED");
    }

    /** By then the CRD is a current one. */
    @Test
    void goesOnWithTheSpecOnceItNamesTheClusterOfTheJobAgain() {
        FakeCluster other = twoClustersAndAJob();
        try (var _ = new CrdWithoutRules(API)) {
            edit("report", spec -> spec.put("deploymentName", "elsewhere").put("restartNonce", 1));
        }
        soon(() -> assertThat(job("report")).isEqualTo("False SpecInvalid"));

        edit("report", spec -> spec.put("deploymentName", "session"));

        soon(() -> assertThat(flink.runs()).hasSize(2));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        assertThat(flink.runs().getLast().savepointPath())
                .hasValueSatisfying(path -> assertThat(path).contains("savepoint-"));
        assertThat(other.runs()).isEmpty();
    }

    private FakeCluster twoClustersAndAJob() {
        clusterUp();
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        return clusterUp("elsewhere", SessionSnapshots.sessionCluster());
    }

    /** A job that waits for its cluster has none yet. */
    @Test
    void letsAJobThatHasNeverBegunNameAnotherCluster() {
        create(new FlinkSessionJob(), "report", SessionSnapshots.sessionJob("savepoint"));
        soon(() -> assertThat(job("report")).isEqualTo("False WaitingForSessionCluster"));
        FakeCluster other = clusterUp("elsewhere", SessionSnapshots.sessionCluster());

        edit("report", spec -> spec.put("deploymentName", "elsewhere"));

        soon(() -> assertThat(job("report")).isEqualTo("True JobRunning"));
        assertThat(other.runs()).hasSize(1);
    }

    /** How often each event was told. */
    private List<Integer> counts(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getCount)
                .toList();
    }

    private String events(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .map(Event::getMessage)
                .collect(Collectors.joining("\n"));
    }

    /** One that reads {@code cluster} from a cache. */
    private Reconciliation.Outcome pass(
            FlinkSessionJob job, FlinkDeployment cluster, InstantSource clock) {
        return jobs(clock, _ -> new Fetched.Refused("not asked for"))
                .passes((_, _) -> {})
                .reconcile(
                        job,
                        around(cluster),
                        (read, status) -> {
                            read.setStatus(status);
                            return StatusStore.Saved.KEPT;
                        });
    }

    private SessionJobs jobs(InstantSource clock, Artifacts artifacts) {
        return new SessionJobs(
                client,
                operator.jobManagers(),
                RunningOperator::address,
                artifacts,
                () -> DefaultConfiguration.NONE,
                SpecValidators.NONE,
                clock);
    }

    private static Around around(FlinkDeployment cluster) {
        return new Around(Optional.of(cluster), Optional.empty());
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
     */
    private Runnable late(FlinkSessionJob read, AtomicBoolean late, Artifacts artifacts) {
        FlinkDeployment cluster = found(FlinkDeployment.class, "session").orElseThrow();
        var resourceReconciler = jobs(InstantSource.system(), artifacts).passes((_, _) -> {});
        return () ->
                resourceReconciler.reconcile(
                        read,
                        around(cluster),
                        (job, status) -> {
                            job.setStatus(status);
                            if (!late.get()) {
                                job.setMetadata(client.resource(job).updateStatus().getMetadata());
                            }
                            return StatusStore.Saved.KEPT;
                        });
    }

    private List<String> jobsOfTheCluster() {
        return operator
                .jobManagers()
                .jobs(RunningOperator.address(namespace, "session"))
                .answer()
                .orElseThrow()
                .stream()
                .map(JobOverview::state)
                .toList();
    }

    private String version() {
        return operator.jobManagers()
                .config(RunningOperator.address(namespace, "session"))
                .answer()
                .orElseThrow()
                .flinkVersion();
    }

    private void clusterUp() {
        clusterUp(SessionSnapshots.sessionCluster());
    }

    private void clusterUp(ObjectNode spec) {
        flink = clusterUp("session", spec);
    }

    private FakeCluster clusterUp(String name, ObjectNode spec) {
        create(new FlinkDeployment(), name, spec);
        FakeCluster started =
                operator.jobManagers().start(RunningOperator.address(namespace, name));
        soon(() -> assertThat(kubelet.deployment(name)).isPresent());
        kubelet.makeAvailable(name);
        soon(() -> assertThat(cluster(name)).isEqualTo("True SessionClusterReady"));
        return started;
    }

    private <R extends CustomResource<ObjectNode, ObjectNode>> void create(
            R resource, String name, ObjectNode spec) {
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private void edit(String name, UnaryOperator<ObjectNode> change) {
        kubectl().edit(FlinkSessionJob.class, name, change);
    }

    private Kubectl kubectl() {
        return new Kubectl(client, namespace);
    }

    private <R extends CustomResource<ObjectNode, ObjectNode>> void delete(
            Class<R> kind, String name) {
        client.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    private <R extends CustomResource<ObjectNode, ObjectNode>> Optional<R> found(
            Class<R> kind, String name) {
        return Optional.ofNullable(
                client.resources(kind).inNamespace(namespace).withName(name).get());
    }

    private <R extends CustomResource<ObjectNode, ObjectNode>> ObjectNode status(
            Class<R> kind, String name) {
        return found(kind, name)
                .flatMap(found -> Optional.ofNullable(found.getStatus()))
                .orElseGet(JsonNodeFactory.instance::objectNode);
    }

    private String job(String name) {
        return ready(status(FlinkSessionJob.class, name));
    }

    private String cluster() {
        return cluster("session");
    }

    private String cluster(String name) {
        return ready(status(FlinkDeployment.class, name));
    }

    private static String ready(ObjectNode status) {
        for (var condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText() + " " + condition.path("reason").asText();
            }
        }
        return "";
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(assertion);
    }
}
