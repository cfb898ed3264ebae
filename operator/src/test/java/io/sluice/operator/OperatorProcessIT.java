// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The real process: what it reads from files, and what it shows of it. */
class OperatorProcessIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;
    private String namespace;
    private OperatorUnderTest operator;

    @BeforeEach
    void start() throws IOException {
        namespace = API.newNamespace();
        operator = OperatorUnderTest.start(folder, API.kubeconfig(), namespace, "", Map.of());
    }

    @AfterEach
    void stop() {
        operator.close();
    }

    @Test
    void takesUpANewConfigurationAndRefusesABadOneForAllToSee() throws IOException {
        String before = fingerprint();

        operator.configure(
                "kubernetes.operator.log.level: DEBUG\nkubernetes.operator.log.format: text\n");

        soon(() -> assertThat(fingerprint()).isNotEqualTo(before));
        String good = fingerprint();
        operator.configure("kubernetes.operator.reconcile.interval: often\n");
        soon(() -> assertThat(operator.metrics()).contains("sluice_configuration_good 0.0"));
        assertThat(fingerprint()).isEqualTo(good);
        soon(() -> assertThat(operator.log()).contains(" ERROR "));
        soon(
                () ->
                        assertThat(
                                        API.client()
                                                .v1()
                                                .events()
                                                .inNamespace(namespace)
                                                .list()
                                                .getItems())
                                .filteredOn(it -> it.getReason().equals("ConfigurationRefused"))
                                .extracting(Event::getMessage)
                                .singleElement()
                                .asString()
                                .contains("kubernetes.operator.reconcile.interval: 'often'"));
        operator.configure("");
        soon(() -> assertThat(operator.metrics()).contains("sluice_configuration_good 1.0"));
    }

    @Test
    void saysThatTheEnvironmentsNamespacesGoBeforeTheConfigurations() throws IOException {
        assertThat(operator.log())
                .contains("{\"source\":\"SLUICE_WATCH_NAMESPACES\"}")
                .doesNotContain("are ignored");

        operator.configure(
                """
                kubernetes.operator.dynamic.namespaces.enabled: true
                kubernetes.operator.watched.namespaces: elsewhere
                """);

        soon(
                () ->
                        assertThat(
                                        API.client()
                                                .v1()
                                                .events()
                                                .inNamespace(namespace)
                                                .list()
                                                .getItems())
                                .filteredOn(it -> it.getReason().equals("NamespacesIgnored"))
                                .extracting(Event::getMessage)
                                .singleElement()
                                .asString()
                                .contains("are those of SLUICE_WATCH_NAMESPACES")
                                .contains("kubernetes.operator.dynamic.namespaces.enabled"));
        assertThat(operator.log()).contains("are ignored");
    }

    @Test
    void showsWhatItDoesAndOfWhatAndForgetsItAgain() throws IOException {
        create("orders", MinimalSpec.spec("suspended"), Map.of());

        soon(
                () ->
                        assertThat(operator.metrics())
                                .contains(resource("sluice_resource_lifecycle", "orders"))
                                .contains("sluice_operator_api_requests_total{method=\"PUT\"")
                                .contains("sluice_operator_queue_wait_seconds_count{")
                                .contains("outcome=\"")
                                .contains(
                                        "sluice_operator_crd_current{crd=\"flinkdeployments.flink.apache.org\",}"
                                                + " 1.0"));
        assertThat(operator.sum("sluice_operator_pass_seconds_count")).isPositive();

        API.client()
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .delete();

        soon(() -> assertThat(operator.metrics()).doesNotContain("name=\"orders\""));
    }

    @Test
    void seesItsCanary() throws IOException {
        operator.configure("kubernetes.operator.health.canary.resource.timeout: 2 s\n");

        create("tweety", MinimalSpec.spec("running"), Map.of("flink.apache.org/canary", "true"));

        soon(
                () ->
                        assertThat(operator.metrics())
                                .contains(
                                        "sluice_operator_canary_seconds{namespace=\"" + namespace));
        assertThat(operator.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(API.client().apps().deployments().inNamespace(namespace).list().getItems())
                .isEmpty();
    }

    @Test
    void seesACanaryThatTheApacheOperatorNeedsNoSpecFor() throws IOException {
        operator.configure("kubernetes.operator.health.canary.resource.timeout: 2 s\n");

        API.client()
                .resource(
                        """
                        apiVersion: flink.apache.org/v1beta1
                        kind: FlinkDeployment
                        metadata:
                          name: speedy
                          namespace: %s
                          labels: {flink.apache.org/canary: "true"}
                        """
                                .formatted(namespace))
                .create();

        soon(
                () ->
                        assertThat(operator.metrics())
                                .contains(
                                        "sluice_operator_canary_seconds{namespace=\""
                                                + namespace
                                                + "\",name=\"speedy\""));
        assertThat(operator.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(API.client().apps().deployments().inNamespace(namespace).list().getItems())
                .isEmpty();
    }

    @Test
    void looksAgainAtWhatTheFormerConfigurationRefused() throws IOException {
        API.client()
                .resource(
                        """
                        apiVersion: flink.apache.org/v1beta1
                        kind: FlinkSessionJob
                        metadata: {name: report}
                        spec:
                          deploymentName: session
                          job: {jarURI: "http://jars.example.org/report.jar", parallelism: 1}
                        """)
                .inNamespace(namespace)
                .create();
        soon(() -> assertThat(error("report")).contains("jar-uri-scheme-allowed"));

        operator.configure("kubernetes.operator.user.artifacts.allowed-schemes: https,http\n");

        soon(() -> assertThat(error("report")).doesNotContain("jar-uri-scheme-allowed"));
    }

    @Test
    void endsWhenItIsTold() throws InterruptedException {
        assertThat(operator.end()).isTrue();
    }

    @Test
    void endsIfItCanNotWatchSoThatItIsStartedAgain(@TempDir Path other) throws Exception {
        String stranger =
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: a, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                users: [{name: a, user: {token: stranger}}]
                contexts: [{name: a, context: {cluster: a, user: a}}]
                current-context: a
                """
                        .formatted(API.client().getMasterUrl());
        try (var started = OperatorUnderTest.launch(other, stranger, namespace, "", Map.of())) {
            assertThat(started.process().waitFor(2, TimeUnit.MINUTES)).isTrue();

            assertThat(started.process().exitValue()).isEqualTo(1);
            assertThat(started.log()).contains("can't start", "Unauthorized");
        }
    }

    private String error(String sessionJob) {
        return API.client()
                .resources(FlinkSessionJob.class)
                .inNamespace(namespace)
                .withName(sessionJob)
                .get()
                .getStatus()
                .path("error")
                .asText();
    }

    private String resource(String metric, String name) {
        return "%s{kind=\"FlinkDeployment\",namespace=\"%s\",name=\"%s\""
                .formatted(metric, namespace, name);
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
        API.client().resource(resource).create();
    }

    private String fingerprint() throws IOException {
        return operator.metrics()
                .lines()
                .filter(line -> line.startsWith("sluice_configuration_info{"))
                .findFirst()
                .orElse("");
    }
}
