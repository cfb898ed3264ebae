// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.sluice.api.FlinkSessionJob;
import io.sluice.testkit.ApiServer;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The real process: what it reads from files, and what it shows of it. */
class OperatorProcessIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String LOOK_OFTEN =
            "kubernetes.operator.dynamic.config.check.interval: 300 ms\n";

    @TempDir private Path folder;
    private String namespace;
    private int port;
    private Process process;

    @BeforeEach
    void start() throws IOException {
        namespace = API.newNamespace();
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        write("");
        Files.writeString(folder.resolve("kubeconfig"), API.kubeconfig());
        var builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                Optional.ofNullable(System.getProperty("surefire.test.class.path"))
                                        .orElse(System.getProperty("java.class.path")),
                                "-Dlogback.configurationFile="
                                        + Path.of("src/main/resources/logback.xml")
                                                .toAbsolutePath(),
                                Main.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(log());
        builder.environment()
                .putAll(
                        Map.of(
                                "KUBECONFIG",
                                folder.resolve("kubeconfig").toString(),
                                "SLUICE_CONFIG_DIR",
                                folder.resolve("conf").toString(),
                                "SLUICE_HTTP_PORT",
                                Integer.toString(port),
                                "SLUICE_NAMESPACE",
                                namespace,
                                "SLUICE_WATCH_NAMESPACES",
                                namespace,
                                "SLUICE_LEADER_ELECTION",
                                "sluice-operator",
                                "POD_NAME",
                                "operator-0"));
        process = builder.start();
        await().atMost(ofSeconds(60))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(metrics()).contains("sluice_operator_leader 1.0"));
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    @Test
    void takesUpANewConfigurationAndRefusesABadOneForAllToSee() throws IOException {
        String before = fingerprint();

        write("kubernetes.operator.log.level: DEBUG\nkubernetes.operator.log.format: text\n");

        soon(() -> assertThat(fingerprint()).isNotEqualTo(before));
        String good = fingerprint();
        write("kubernetes.operator.reconcile.interval: often\n");
        soon(() -> assertThat(metrics()).contains("sluice_configuration_good 0.0"));
        assertThat(fingerprint()).isEqualTo(good);
        soon(() -> assertThat(Files.readString(log().toPath())).contains(" ERROR "));
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
        write("");
        soon(() -> assertThat(metrics()).contains("sluice_configuration_good 1.0"));
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

        write("kubernetes.operator.user.artifacts.allowed-schemes: https,http\n");

        soon(() -> assertThat(error("report")).doesNotContain("jar-uri-scheme-allowed"));
    }

    @Test
    void endsWhenItIsTold() throws InterruptedException {
        process.destroy();

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
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

    private File log() {
        return folder.resolve("log").toFile();
    }

    private void write(String entries) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("config.yaml"), LOOK_OFTEN + entries);
    }

    private String fingerprint() throws IOException {
        return metrics()
                .lines()
                .filter(line -> line.startsWith("sluice_configuration_info{"))
                .findFirst()
                .orElse("");
    }

    private String metrics() throws IOException {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:" + port + "/metrics"))
                                    .timeout(ofSeconds(5))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(20)).ignoreExceptions().untilAsserted(assertion);
    }
}
