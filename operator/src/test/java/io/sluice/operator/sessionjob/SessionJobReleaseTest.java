// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A FlinkSessionJob is deleted, and nothing may run of it once its resource is gone. */
class SessionJobReleaseTest {
    private static final URI AT = URI.create("http://session-rest.shop:8081");
    private static final String CLUSTER = "session";
    private static final Duration BETWEEN = Duration.ofSeconds(3);
    private static final int MOST_PASSES = 60;

    private final InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
    private final KubernetesClient client = server.client();
    private final String namespace = server.newNamespace();
    private final FakeJobManager jobManagers = new FakeJobManager();
    private final FakeCluster flink = jobManagers.start(AT);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private ResourceReconciler<FlinkSessionJob, RelatedResources> reconciler =
            (_, _, _) -> {
                throw new IllegalStateException("nothing is reconciled yet");
            };
    @TempDir private Path folder;

    @BeforeEach
    void runAJob() throws IOException {
        Path jar = Files.writeString(folder.resolve("report.jar"), "a jar");
        reconciler =
                new SessionJobs(
                                client,
                                jobManagers,
                                _ -> AT,
                                _ -> new Fetched.Here(jar),
                                () -> DefaultConfiguration.NONE,
                                SpecValidators.NONE,
                                false,
                                () -> now)
                        .passes(
                                (_, _) -> {},
                                new ObservationMemory(),
                                new Submissions(Runnable::run, () -> now));
        client.resource(named(new FlinkDeployment(), CLUSTER)).create();
        isTold("READY");
        client.resource(named(new FlinkSessionJob(), "report")).create();
        for (int pass = 0; pass < MOST_PASSES && running().isEmpty(); pass++) {
            pass(cluster());
        }
        assertThat(running()).hasSize(1);
        client.resource(job()).delete();
    }

    @Test
    void isNotReleasedByTheWordOfACacheThatItsClusterIsDown() {
        FlinkDeployment cached = cluster();
        cached.setStatus(status("MISSING"));

        assertThat(pass(cached).released()).isFalse();

        pass(cached);
        assertThat(running()).isEmpty();
    }

    /** Which a Flink of the version that the cluster had before would run. */
    @Test
    void leavesNoGraphInTheMetadataOfItsCluster() {
        String jobId = flink.runs().getFirst().jobId();
        ConfigMap graphs = write("jobGraph-" + jobId, "jobGraph-" + "f".repeat(32));
        isTold("MISSING");

        assertThat(pass(cluster()).released()).isTrue();

        assertThat(client.resource(graphs).get().getData())
                .containsOnlyKeys("jobGraph-" + "f".repeat(32));
    }

    private <T extends HasMetadata> T named(T resource, String name) {
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        if (resource instanceof FlinkSessionJob job) {
            job.getMetadata().setFinalizers(List.of(FlinkSessionJobReconciler.FINALIZER));
            spec.put("deploymentName", CLUSTER)
                    .putObject("job")
                    .put("jarURI", "https://repo.example.org/report.jar")
                    .put("parallelism", 1)
                    .put("upgradeMode", "stateless");
            job.setSpec(spec);
        }
        if (resource instanceof FlinkDeployment cluster) {
            cluster.setSpec(spec.put("image", "flink:1.20").put("flinkVersion", "v1_20"));
        }
        return resource;
    }

    private FlinkDeployment cluster() {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName(CLUSTER)
                .get();
    }

    private FlinkSessionJob job() {
        return client.resources(FlinkSessionJob.class)
                .inNamespace(namespace)
                .withName("report")
                .get();
    }

    /** What the API server is told of the cluster's JobManager. */
    private void isTold(String jobManager) {
        FlinkDeployment cluster = cluster();
        cluster.setStatus(status(jobManager));
        client.resource(cluster).updateStatus();
    }

    private static ObjectNode status(String jobManager) {
        ObjectNode status =
                JsonNodeFactory.instance.objectNode().put("jobManagerDeploymentStatus", jobManager);
        status.putObject("reconciliationStatus").put("state", "DEPLOYED");
        return status;
    }

    private Outcome pass(FlinkDeployment cached) {
        now = now.plus(BETWEEN);
        return reconciler.reconcile(
                job(), new RelatedResources(Optional.of(cached), Optional.empty()), this::store);
    }

    private Saved store(FlinkSessionJob read, ObjectNode status) {
        read.setStatus(status);
        read.getMetadata()
                .setResourceVersion(
                        client.resource(read).updateStatus().getMetadata().getResourceVersion());
        return Saved.KEPT;
    }

    private List<JobOverview> running() {
        return jobManagers.jobs(AT).answer().orElseThrow().stream()
                .filter(listed -> listed.state().equals("RUNNING"))
                .toList();
    }

    private ConfigMap write(String... keys) {
        return client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName(CLUSTER + "-cluster-config-map")
                                .withLabels(
                                        Map.of("app", CLUSTER, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .addToData(keys[0], "a path")
                                .addToData(keys[1], "a path")
                                .build())
                .create();
    }
}
