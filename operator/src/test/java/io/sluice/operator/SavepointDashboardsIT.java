// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Dashboard;
import io.sluice.testkit.Prometheus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of the dashboards of blue/green deployments and of snapshots gives series from a real
 * Prometheus at some time, while a pair goes from one half to the other and a user asks for a
 * savepoint.
 */
@EnabledIfEnvironmentVariable(named = Prometheus.BINARY, matches = ".+")
class SavepointDashboardsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    private final Kubelet kubelet = new Kubelet(client, namespace);
    private final Kubectl kubectl = new Kubectl(client, namespace);
    @TempDir private Path folder;
    private HttpJobManagers jobManagers;
    private OperatorUnderTest operator;

    @BeforeEach
    void start() throws IOException {
        jobManagers = new HttpJobManagers();
        operator =
                OperatorUnderTest.start(
                        folder,
                        API.kubeconfig(),
                        namespace,
                        """
                        kubernetes.operator.observer.progress-check.interval: 300 ms
                        kubernetes.operator.reconcile.interval: 1 s
                        kubernetes.operator.deployment.pull-image-first: "false"
                        """,
                        Map.of("SLUICE_REST_TEMPLATE", jobManagers.template()));
    }

    @AfterEach
    void stop() {
        operator.close();
        jobManagers.close();
    }

    @Test
    void everyPanelShowsSomethingWhileATransitionIsInProgress() throws IOException {
        Set<String> unanswered = new TreeSet<>();
        for (String board : List.of("bluegreen", "snapshots")) {
            unanswered.addAll(Dashboard.read(board).queries());
        }
        try (var prometheus =
                Prometheus.start(folder, operator.port(), Dashboard.alerts("operator"))) {
            createPair();
            asking(prometheus, unanswered, () -> assertThat(state()).isEqualTo("ACTIVE_BLUE"));
            kubectl.create(new FlinkStateSnapshot(), "by-hand", ofBlue());
            edit("flink:1.20-2");
            asking(prometheus, unanswered, () -> assertThat(state()).isEqualTo("ACTIVE_GREEN"));
            edit("flink:1.20-3");
            asking(prometheus, unanswered, () -> assertThat(unanswered).isEmpty());
        }
    }

    /** Until that is so, the cluster does what it is told, and Prometheus is asked. */
    private void asking(Prometheus prometheus, Set<String> unanswered, ThrowingRunnable end) {
        await().atMost(ofMinutes(2))
                .pollInterval(ofMillis(300))
                .untilAsserted(
                        () -> {
                            kubelet();
                            unanswered.removeIf(query -> prometheus.series(query) > 0);
                            end.run();
                        });
    }

    private String state() {
        return Optional.ofNullable(
                        client.resources(FlinkBlueGreenDeployment.class)
                                .inNamespace(namespace)
                                .withName("orders")
                                .get()
                                .getStatus())
                .map(status -> status.path("blueGreenState").asText())
                .orElse("");
    }

    private void kubelet() {
        for (String half : List.of("orders-blue", "orders-green")) {
            kubelet.finishDeletion(half);
            kubelet.deployment(half)
                    .filter(found -> found.getStatus().getAvailableReplicas() == null)
                    .ifPresent(
                            found -> {
                                jobManagers.run(
                                        half,
                                        found.getMetadata()
                                                .getAnnotations()
                                                .get(ManifestRenderer.ATTEMPT_ANNOTATION));
                                kubelet.makeAvailable(half);
                            });
        }
    }

    private void createPair() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("configuration")
                .put("kubernetes.operator.bluegreen.analysis.duration", "6 s")
                .put("kubernetes.operator.bluegreen.analysis.interval", "1 s")
                .put("kubernetes.operator.bluegreen.analysis.on-inconclusive", "promote")
                .put("kubernetes.operator.bluegreen.deployment-deletion.delay", "2 s");
        ObjectNode half = Specs.saving(MinimalSpec.spec("running"));
        half.withObject("/job").put("upgradeMode", "savepoint");
        half.withObject("/flinkConfiguration")
                .put("execution.checkpointing.dir", "file:///c")
                .put("kubernetes.operator.periodic.savepoint.interval", "10 s");
        spec.putObject("template").set("spec", half);
        kubectl.create(new FlinkBlueGreenDeployment(), "orders", spec);
    }

    private static ObjectNode ofBlue() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("jobReference").put("kind", "FlinkDeployment").put("name", "orders-blue");
        spec.putObject("savepoint");
        return spec;
    }

    private void edit(String image) {
        kubectl.edit(
                FlinkBlueGreenDeployment.class,
                "orders",
                spec -> {
                    spec.withObject("/template/spec").put("image", image);
                    return spec;
                });
    }
}
