// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static io.sluice.testkit.Soon.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.system.Kubectl;
import io.sluice.operator.system.Kubelet;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets are planted wherever users have them, and everything that the operator writes is searched
 * for them.
 */
class SecretsIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    /** Of no shape that gives itself away: only where it stands tells that it is one. */
    private static final String PLANT = "magpie4711";

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    private final Kubelet kubelet = new Kubelet(client, namespace);
    @TempDir private Path folder;
    private HttpServer jobManagers;
    private OperatorUnderTest operator;

    @BeforeEach
    void start() throws IOException {
        jobManagers =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        jobManagers.createContext(
                "/",
                exchange -> {
                    byte[] body =
                            """
                            {"errors": ["Access denied.", "java.io.IOException: %s is no key; s3.secret-key=%s\\n at Main"]}
                            """
                                    .formatted(PLANT, PLANT)
                                    .getBytes(UTF_8);
                    try (exchange) {
                        exchange.sendResponseHeaders(500, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        jobManagers.start();
        operator =
                OperatorUnderTest.start(
                        folder,
                        API.kubeconfig(),
                        namespace,
                        configuration("1 s"),
                        Map.of(
                                "SLUICE_REST_TEMPLATE",
                                "http://127.0.0.1:" + jobManagers.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        operator.close();
        jobManagers.stop(0);
    }

    @Test
    void noSecretIsWrittenAnywhere() throws IOException {
        create("orders", secretive());
        soon(() -> assertThat(kubelet.deployment("orders")).isPresent());
        failPod();
        kubelet.makeAvailable("orders");
        ObjectNode broken = secretive();
        ((ObjectNode) broken.get("flinkConfiguration"))
                .put("taskmanager.numberOfTaskSlots", "many")
                .put("kubernetes.cluster-id", "password=" + PLANT);
        create("broken", broken);
        soon(() -> assertThat(conditions("broken")).contains("SpecInvalid"));
        edit();
        soon(() -> assertThat(events()).contains("SpecChanged"));
        operator.configure(configuration("often"));
        soon(() -> assertThat(operator.metrics()).contains("sluice_configuration_good 0.0"));
        soon(
                () ->
                        assertThat(events())
                                .contains("ConfigurationRefused")
                                .contains("ValidationError"));

        assertThat(operator.log()).contains("DEBUG").doesNotContain(PLANT);
        assertThat(operator.metrics())
                .contains("sluice_resource_events_total{")
                .doesNotContain(PLANT);
        assertThat(events()).doesNotContain(PLANT);
        assertThat(conditions("orders")).isNotEmpty().doesNotContain(PLANT);
        assertThat(conditions("broken")).doesNotContain(PLANT);
    }

    private static String configuration(String interval) {
        return """
        kubernetes.operator.log.level: DEBUG
        kubernetes.operator.observer.progress-check.interval: 300 ms
        kubernetes.operator.reconcile.interval: %s
        s3.secret-key: %s
        kubernetes.operator.user.artifacts.http.header: 'Authorization:Bearer %s'
        kubernetes.operator.pasword: %s
        """
                .formatted(interval, PLANT, PLANT, PLANT);
    }

    private ObjectNode secretive() {
        ObjectNode spec = MinimalSpec.spec("running");
        spec.putObject("flinkConfiguration")
                .put("s3.secret-key", PLANT)
                .put("security.ssl.rest.key-password", PLANT)
                .put("env.java.opts.all", "-Ddb.password=" + PLANT)
                .put("taskmanager.numberOfTaskSlots", "1");
        ((ObjectNode) spec.get("job")).putArray("args").add("--db.password=" + PLANT);
        spec.putObject("logConfiguration").put("log4j-console.properties", "x.password=" + PLANT);
        ObjectNode container =
                spec.putObject("podTemplate").putObject("spec").putArray("containers").addObject();
        container.put("name", "flink-main-container");
        container.putArray("env").addObject().put("name", "DB_PASSWORD").put("value", PLANT);
        return spec;
    }

    private void create(String name, ObjectNode spec) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private void edit() {
        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        "orders",
                        spec -> {
                            ((ObjectNode) spec.get("flinkConfiguration"))
                                    .put("s3.secret-key", PLANT + PLANT)
                                    .put("security.ssl.rest.key-password", "other");
                            return spec;
                        });
    }

    /** Its registry wants a password, and the kubelet quotes it. */
    private void failPod() {
        kubelet.failPod(
                "orders",
                "ImagePullBackOff",
                "pull https://me:%s@reg.example.org refused, token=%s".formatted(PLANT, PLANT));
        soon(() -> assertThat(events()).contains("ImagePullBackOff"));
    }

    /** The status, but for the spec that it holds a copy of. */
    private String conditions(String name) {
        ObjectNode status =
                client.resources(FlinkDeployment.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get()
                        .getStatus();
        if (status == null) {
            return "";
        }
        ObjectNode shown = status.deepCopy();
        shown.remove("reconciliationStatus");
        return shown.toString();
    }

    private String events() {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .map(each -> each.getReason() + ": " + each.getMessage() + each.getMetadata())
                .collect(Collectors.joining("\n"));
    }
}
