// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterDemandTest {
    private static final String SIZED =
            """
            mode: %s
            flinkVersion: v1_20
            image: flink:1.20
            flinkConfiguration:
              taskmanager.numberOfTaskSlots: 2
              kubernetes.jobmanager.cpu.limit-factor: 2
              %s
            jobManager: {resource: {cpu: 0.5, memory: 1Gi}}
            taskManager: {resource: {cpu: 1.5, memory: 2Gi}}
            job: {jarURI: 'local:///a.jar', parallelism: 5, upgradeMode: stateless}
            """;

    private static final String HIGHLY_AVAILABLE =
            "high-availability.type: kubernetes\n  high-availability.storageDir: s3://b/ha";

    @Test
    void countsAllPodsOfBothComponentsAndTheirLimits() throws Exception {
        assertThat(demand(SIZED.formatted("native", "a: b")))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "requests.cpu", "5",
                                "limits.cpu", "5.5",
                                "requests.memory", "7516192768",
                                "limits.memory", "7516192768",
                                "pods", "4",
                                "services", "2"));
    }

    /** What is rendered is what the JobManager's pod will ask for. */
    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void agreesWithTheManifestsOfTheJobManager(String mode) throws Exception {
        for (String availability : List.of("a: b", HIGHLY_AVAILABLE)) {
            ClusterPlan plan = Plans.of(SIZED.formatted(mode, availability));
            List<HasMetadata> manifests = ManifestRenderer.render(plan);
            Container main =
                    ((Deployment) manifests.getFirst())
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst();
            long services = manifests.stream().filter(Service.class::isInstance).count();
            Map<String, String> whole = demand(SIZED.formatted(mode, availability));

            assertThat(cores(main.getResources().getRequests().get("cpu"))).isEqualTo("0.5");
            assertThat(cores(main.getResources().getLimits().get("cpu"))).isEqualTo("1");
            assertThat(whole)
                    .containsEntry("requests.cpu", "5")
                    .containsEntry("limits.cpu", "5.5")
                    .containsEntry("services", Long.toString(services));
        }
    }

    @Test
    void takesTheWidestVertexOfTheOverridesForTheParallelism() throws Exception {
        assertThat(
                        demand(
                                SIZED.formatted(
                                        "native",
                                        "pipeline.jobvertex-parallelism-overrides: 'a:3,b:9'")))
                .containsEntry("pods", "6");
    }

    @Test
    void countsTheOtherContainersOfThePodTemplates() throws Exception {
        String template =
                """
                podTemplate:
                  spec:
                    initContainers:
                    - {name: fetch, resources: {requests: {memory: 8Gi}}}
                    - {name: mesh, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
                    containers:
                    - {name: flink-main-container, resources: {requests: {cpu: 64}}}
                    - {name: logs, resources: {limits: {cpu: 200m, memory: 1Gi}}}
                    - {name: odd, resources: {requests: {cpu: much}}}
                """;

        assertThat(demand(SIZED.formatted("native", "a: b") + template))
                .containsEntry("requests.cpu", "6.2")
                .containsEntry("limits.cpu", "6.3")
                .containsEntry("requests.memory", Long.toString(4 * (8L << 30)));
    }

    @Test
    void asksForWhatFlinkTakesUnasked() throws Exception {
        String unsized =
                """
                mode: %s
                flinkVersion: v1_20
                flinkConfiguration: {taskmanager.numberOfTaskSlots: 4}
                job: {jarURI: 'local:///a.jar', parallelism: 4, upgradeMode: stateless}
                """;

        assertThat(demand(unsized.formatted("native")))
                .containsEntry("requests.cpu", "5")
                .containsEntry("requests.memory", "0");
        assertThat(demand(unsized.formatted("standalone"))).containsEntry("requests.cpu", "0");
    }

    private static Map<String, String> demand(String spec) throws Exception {
        ClusterPlan plan = Plans.of(spec);
        return ClusterDemand.of(plan.spec(), plan.effective()).amounts().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, it -> text(it.getValue())));
    }

    private static String cores(Quantity quantity) {
        return text(Quantity.getAmountInBytes(quantity));
    }

    private static String text(BigDecimal amount) {
        return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }
}
