// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session job's reconciliations against a JobManager. Flink 2 never takes an id again that it has
 * known; Flink 1 takes one whose job has ended.
 */
class SubmissionsOnEachFlinkTest {
    private static final URI AT = URI.create("http://session-rest.shop:8081");
    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final int MOST_PASSES = 60;

    private final FakeJobManager jobManagers = new FakeJobManager();
    private final FakeCluster flink = jobManagers.start(AT);
    private final FlinkDeployment cluster = new FlinkDeployment();
    private final FlinkSessionJob job = new FlinkSessionJob();
    private final ObservationMemory memory = new ObservationMemory();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Submissions submissions = new Submissions(Runnable::run, () -> now);
    private Artifacts artifacts = _ -> new Fetched.Here(jar());
    @TempDir private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(jar(), "a jar");
        cluster.setMetadata(metadata("session"));
        cluster.setStatus(
                JsonNodeFactory.instance.objectNode().put("jobManagerDeploymentStatus", "READY"));
        job.setMetadata(metadata("report"));
    }

    @ParameterizedTest
    @CsvSource({
        "1.20.5, savepoint",
        "1.20.5, stateless",
        "2.3.0, savepoint",
        "2.3.0, stateless",
    })
    void everyUpgradeRunsUnderAnIdOfItsOwn(String version, String mode) {
        running(version, mode);

        for (int nonce = 1; nonce <= 3; nonce++) {
            edit(job.getSpec().deepCopy().put("restartNonce", nonce));
            passUntil("JobRunning", nonce + 1);
        }

        assertIdsDiffer();
        assertThat(flink.runs().getLast().savepointPath().isPresent())
                .isEqualTo(mode.equals("savepoint"));
    }

    @ParameterizedTest
    @CsvSource({
        "1.20.5, savepoint",
        "1.20.5, stateless",
        "2.3.0, savepoint",
        "2.3.0, stateless",
    })
    void aSuspendedJobIsResumedUnderAnIdOfItsOwn(String version, String mode) {
        running(version, mode);

        wish("suspended");
        passUntil("Suspended", 1);
        wish("running");
        passUntil("JobRunning", 2);

        assertIdsDiffer();
    }

    /** The status names the attempt, and what came of it only the JobManager knows. */
    @ParameterizedTest
    @ValueSource(strings = {"1.20.5", "2.3.0"})
    void anOperatorThatDiedAfterItsRequestRunsNothingTwice(String version) {
        on(version, "savepoint");
        passUntilItRan();
        submissions = new Submissions(Runnable::run, () -> now);

        passUntil("JobRunning", 1);
        pass();

        assertThat(flink.runs()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.5", "2.3.0"})
    void aJobThatEndedBeforeItWasSeenIsNotRunAgain(String version) {
        on(version, "stateless");
        passUntilItRan();
        jobManagers.cancel(AT, flink.runs().getFirst().jobId());
        submissions = new Submissions(Runnable::run, () -> now);

        passUntil("JobCanceled", 1);
        pass();

        assertThat(flink.runs()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.5", "2.3.0"})
    void aJobWithLastStateLeavesAClusterThatIsToBeReplaced(String version) {
        running(version, "last-state");
        ObjectNode waiting = cluster.getStatus().deepCopy();
        waiting.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "False")
                .put("reason", Reason.WAITING_FOR_SESSION_JOBS.wire());

        cluster.setStatus(waiting);
        pass();
        pass();

        assertThat(ready()).isNotEqualTo(Reason.STATE_UNREAD.wire()).isNotEqualTo("JobRunning");
    }

    /** As a class that the image's Java runtime lacked. */
    @ParameterizedTest
    @ValueSource(strings = {"1.20.5", "2.3.0"})
    void whatFailsInTheOperatorIsToldAndTriedAgain(String version) {
        on(version, "savepoint");
        artifacts =
                _ -> {
                    throw new NoClassDefFoundError("jdk/net/Sockets");
                };
        passUntil("SubmissionRefused", 0);

        artifacts = _ -> new Fetched.Here(jar());
        passUntil("JobRunning", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.5", "2.3.0"})
    void aSpecThatIsMendedRunsAfterAMainMethodThatThrew(String version) {
        on(version, "savepoint");
        flink.refuseRuns(Optional.of("ProgramInvocationException: no"));
        passUntil("SubmissionRefused", 0);

        flink.refuseRuns(Optional.empty());
        edit(job.getSpec().deepCopy().put("restartNonce", 7));
        passUntil("JobRunning", 1);
    }

    private void running(String version, String mode) {
        on(version, mode);
        passUntil("JobRunning", 1);
    }

    private void on(String version, String mode) {
        flink.runsVersion(version);
        cluster.setSpec(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("image", "flink")
                        .put("flinkVersion", version.startsWith("2.") ? "v2_3" : "v1_20"));
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("deploymentName", "session");
        spec.putObject("job")
                .put("jarURI", "https://repo.example.org/report.jar")
                .put("parallelism", 1)
                .put("upgradeMode", mode);
        spec.putObject("flinkConfiguration")
                .put("execution.checkpointing.dir", "s3://c")
                .put("execution.checkpointing.savepoint-dir", "s3://s");
        edit(spec);
    }

    private void wish(String state) {
        ObjectNode spec = job.getSpec().deepCopy();
        spec.withObject("/job").put("state", state);
        edit(spec);
    }

    private void edit(ObjectNode spec) {
        job.setSpec(spec);
        job.getMetadata()
                .setGeneration(
                        Optional.ofNullable(job.getMetadata().getGeneration()).orElse(0L) + 1);
    }

    private void passUntilItRan() {
        for (int i = 0; i < MOST_PASSES && flink.runs().isEmpty(); i++) {
            pass();
        }
    }

    private void passUntil(String reason, int runs) {
        for (int i = 0; i < MOST_PASSES && !isSeen(reason, runs); i++) {
            pass();
        }
        assertThat(ready()).as(job.getStatus().toPrettyString()).isEqualTo(reason);
        assertThat(flink.runs()).hasSize(runs);
    }

    /** At the current generation. */
    private boolean isSeen(String reason, int runs) {
        return flink.runs().size() == runs
                && ready().equals(reason)
                && job.getStatus().path("observedGeneration").asLong()
                        == job.getMetadata().getGeneration();
    }

    private void pass() {
        var effects =
                new SessionJobEffects(
                        jobManagers,
                        memory,
                        (_, _) -> {},
                        artifacts,
                        submissions,
                        _ -> true,
                        _ -> true,
                        () -> now);
        new Reconciliation<FlinkSessionJob>(
                        new SessionJobObserver(
                                        _ ->
                                                new RelatedResources(
                                                        Optional.of(cluster), Optional.empty()),
                                        jobManagers,
                                        AT,
                                        DefaultConfiguration.NONE,
                                        SpecValidators.NONE,
                                        submissions,
                                        memory,
                                        SnapshotReader.NONE,
                                        () -> now)
                                ::observe,
                        SubmissionsOnEachFlinkTest::store,
                        (read, action) -> effects.perform(read, AT, action),
                        (_, _) -> {},
                        (decision, stored) -> SessionJobStatus.render(decision.status(), stored),
                        memory,
                        "flinksessionjobs.flink.apache.org")
                .run(job);
        now = now.plus(BETWEEN);
    }

    private static Saved store(FlinkSessionJob resource, ObjectNode status) {
        resource.setStatus(status);
        return Saved.KEPT;
    }

    private void assertIdsDiffer() {
        List<String> ids = flink.runs().stream().map(RunRequest::jobId).toList();
        assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
        assertThat(jobManagers.jobs(AT).answer().orElseThrow())
                .filteredOn(listed -> listed.state().equals("RUNNING"))
                .extracting(JobOverview::id)
                .containsExactly(ids.getLast());
    }

    private String ready() {
        return Optional.ofNullable(job.getStatus()).stream()
                .flatMap(status -> status.path("conditions").valueStream())
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .map(condition -> condition.path("reason").asText())
                .findFirst()
                .orElse("");
    }

    private Path jar() {
        return folder.resolve("report.jar");
    }

    private static ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder()
                .withNamespace("shop")
                .withName(name)
                .withUid("uid-of-" + name)
                .withCreationTimestamp("2026-01-01T00:00:00Z")
                .build();
    }
}
