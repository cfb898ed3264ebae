// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.AttemptHistory;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the next JobManager of a session cluster finds to run. */
class SessionJobGraphsTest {
    private static final String CLUSTER = "orders";
    private static final String CHECKPOINT = "checkpointID-0000000000000000007";
    private static final String FOREIGN = "f".repeat(32);

    private final InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
    private final KubernetesClient client = server.client();
    private final String namespace = server.newNamespace();
    private final FlinkSessionJob report = session("report", CLUSTER);

    /** Flink 2 has not read it, and the cluster goes back to Flink 1. */
    @Test
    void doesNotRunTheJobThatAnotherHasTakenThePlaceOf() {
        recorded(report, idOf(report, 2), "running");
        ConfigMap graphs = write("cluster", "jobGraph-" + idOf(report, 1));
        ConfigMap checkpoints = write(idOf(report, 1), CHECKPOINT);

        prepare();

        assertThat(keys(graphs)).isEmpty();
        assertThat(keys(checkpoints)).containsExactly(CHECKPOINT);
    }

    @Test
    void runsTheJobsOnRecordAndThoseOfNobodysFlinkSessionJob() {
        recorded(report, idOf(report, 2), "running");
        FlinkSessionJob elsewhere = session("elsewhere", "another");
        recorded(elsewhere, idOf(elsewhere, 2), "running");
        String[] wanted = {
            "executionPlan-" + idOf(report, 2),
            "executionPlan-" + FOREIGN,
            "jobGraph-" + FOREIGN,
            "jobGraph-" + idOf(elsewhere, 1)
        };
        ConfigMap graphs = write("cluster", wanted);

        prepare();

        assertThat(keys(graphs)).containsExactlyInAnyOrder(wanted);
    }

    /** Nobody knows then which of its jobs another one has taken the place of. */
    @Test
    void runsTheJobOfAResourceWhoseStatusSomebodyHasRemoved() {
        ConfigMap graphs = write("cluster", "jobGraph-" + idOf(report, 1));

        prepare();

        assertThat(keys(graphs)).containsExactly("jobGraph-" + idOf(report, 1));
    }

    @Test
    void runsNoJobThatIsSuspended() {
        recorded(report, idOf(report, 1), "suspended");
        ConfigMap graphs = write("cluster", "jobGraph-" + idOf(report, 1));

        prepare();

        assertThat(keys(graphs)).isEmpty();
    }

    @Test
    void runsNoJobOfAResourceThatWasReleased() {
        recorded(report, idOf(report, 2), "running");
        ConfigMap graphs =
                write(
                        "cluster",
                        "executionPlan-" + idOf(report, 2),
                        "jobGraph-" + FOREIGN,
                        "jobGraph-" + idOf(report, 1));

        new SessionJobGraphs(client, namespace, CLUSTER).removeAllOf(report);

        assertThat(keys(graphs)).containsExactly("jobGraph-" + FOREIGN);
    }

    private void prepare() {
        ObjectNode spec = Specs.highlyAvailable(Specs.application("flink:1.20", "stateless"));
        spec.remove("job");
        var plan = TestPlans.fromNothing(namespace, CLUSTER, spec);
        assertThat(HighAvailabilityMetadata.of(client, plan).prepare()).isEmpty();
    }

    private FlinkSessionJob session(String name, String cluster) {
        var resource = new FlinkSessionJob();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(name);
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("deploymentName", cluster);
        spec.putObject("job").put("jarURI", "https://repo.example.org/a.jar");
        resource.setSpec(spec);
        return client.resource(resource).create();
    }

    private static String idOf(FlinkSessionJob resource, int number) {
        return AttemptHistory.beginningOfIds(resource.getMetadata().getUid())
                + "%016x".formatted(number);
    }

    private void recorded(FlinkSessionJob resource, String jobId, String state) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.putObject("jobStatus").put("jobId", jobId);
        ObjectNode last = JsonNodeFactory.instance.objectNode();
        ObjectNode spec = last.putObject("spec");
        spec.put("deploymentName", resource.getSpec().path("deploymentName").asText());
        spec.putObject("job")
                .put("jarURI", "https://repo.example.org/a.jar")
                .put("upgradeMode", "stateless")
                .put("state", state);
        status.putObject("reconciliationStatus")
                .put("state", "DEPLOYED")
                .put("lastReconciledSpec", last.toString());
        resource.setStatus(status);
        client.resource(resource).updateStatus();
    }

    private ConfigMap write(String name, String... keys) {
        Map<String, String> data = new TreeMap<>();
        Arrays.stream(keys).forEach(key -> data.put(key, "a path"));
        return client.resource(
                        new ConfigMapBuilder()
                                .withNewMetadata()
                                .withName(CLUSTER + "-" + name + "-config-map")
                                .withNamespace(namespace)
                                .withLabels(
                                        Map.of("app", CLUSTER, "type", "flink-native-kubernetes"))
                                .endMetadata()
                                .withData(data)
                                .build())
                .create();
    }

    private Set<String> keys(ConfigMap map) {
        Map<String, String> data = client.resource(map).get().getData();
        return data == null ? Set.of() : new TreeMap<>(data).keySet();
    }
}
