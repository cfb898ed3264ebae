// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.Dashboard;
import io.sluice.testkit.Prometheus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of the dashboards of operator, fleet and job gives series from a real Prometheus that
 * scrapes the real process, while what it is about happens. {@code local/prometheus} has one.
 */
@EnabledIfEnvironmentVariable(named = Prometheus.BINARY, matches = ".+")
class DashboardsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    private final Kubelet kubelet = new Kubelet(client, namespace);
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
                        kubernetes.operator.health.canary.resource.timeout: 2 s
                        """,
                        Map.of("SLUICE_REST_TEMPLATE", jobManagers.template()));
    }

    @AfterEach
    void stop() {
        operator.close();
        jobManagers.close();
    }

    @Test
    void everyPanelShowsSomethingAndEveryAlertIsUnderstood() throws IOException {
        try (var prometheus =
                Prometheus.start(folder, operator.port(), Dashboard.alerts("operator"))) {
            doALot();
            for (String board : List.of("operator", "fleet", "job")) {
                var shown = Dashboard.read(board);
                await().atMost(ofSeconds(90))
                        .pollInterval(ofSeconds(1))
                        .untilAsserted(() -> assertThat(prometheus.unanswered(shown)).isEmpty());
            }
            await().atMost(ofSeconds(90))
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    prometheus.series(
                                                            "ALERTS{alertname=\"SluiceResourceStalled\"}"))
                                            .isPositive());
        }
    }

    /** One that is upgraded, one that is suspended and resumed, one that can't, and a canary. */
    private void doALot() {
        create("orders", MinimalSpec.spec("running"), Map.of());
        create("tweety", MinimalSpec.spec("running"), Map.of("flink.apache.org/canary", "true"));
        ObjectNode broken = MinimalSpec.spec("running");
        broken.putObject("flinkConfiguration").put("taskmanager.numberOfTaskSlots", "many");
        create("broken", broken, Map.of());
        await().atMost(ofSeconds(90))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(kubelet.deployment("orders")).isPresent());
        jobManagers.run("orders", attempt());
        kubelet.makeAvailable("orders");
        upgrade();
        create("quiet", MinimalSpec.spec("suspended"), Map.of());
        await().atMost(ofSeconds(90))
                .untilAsserted(
                        () ->
                                assertThat(operator.metrics())
                                        .contains("name=\"quiet\",state=\"CREATED\""));
        resume("quiet");
        await().atMost(ofSeconds(90))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(kubelet.deployment("quiet")).isPresent());
        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        "broken",
                        spec -> {
                            spec.remove("flinkConfiguration");
                            return spec;
                        });
        create("worse", broken, Map.of());
    }

    private void upgrade() {
        await().atMost(ofSeconds(90))
                .untilAsserted(
                        () ->
                                assertThat(resource().getStatus().at("/jobStatus/state").asText())
                                        .isEqualTo("RUNNING"));
        new Kubectl(client, namespace)
                .edit(FlinkDeployment.class, "orders", spec -> spec.put("restartNonce", 1));
        String former = attempt();
        await().atMost(ofSeconds(90))
                .ignoreExceptions()
                .untilAsserted(
                        () -> {
                            kubelet.finishDeletion("orders");
                            assertThat(attempt()).isNotEqualTo(former);
                        });
        jobManagers.run("orders", attempt());
        kubelet.makeAvailable("orders");
    }

    private String attempt() {
        return kubelet.deployment("orders")
                .orElseThrow()
                .getMetadata()
                .getAnnotations()
                .get(ManifestRenderer.ATTEMPT_ANNOTATION);
    }

    private FlinkDeployment resource() {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .get();
    }

    private void resume(String name) {
        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        name,
                        spec -> {
                            spec.withObject("/job").put("state", "running");
                            return spec;
                        });
    }

    private void create(String name, ObjectNode spec, Map<String, String> labels) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .withLabels(labels)
                        .build());
        resource.setSpec(spec);
        client.resource(resource).create();
    }
}
