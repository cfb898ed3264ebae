// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The process as it is started in its container. */
class MainIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String REFUSED =
            "sluice_admission_faults_total{reason=\"too_large\",} 4.0";

    @TempDir private Path folder;

    @Test
    void getsReadyAndLeavesOnATerminationSignal() throws Exception {
        whileReady(
                (_, process) -> {
                    process.destroy();

                    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                    assertThat(log())
                            .contains("\"formattedMessage\":\"left\"")
                            .doesNotContain("ERROR");
                });
    }

    /** Four of them kept whole would be more than all of its memory. */
    @Test
    void bodiesOfFiftyMebibytesAreNotKept() throws Exception {
        whileReady(
                (installed, _) -> {
                    // Given
                    var uri = URI.create("https://127.0.0.1:" + port("https") + "/validate");
                    var huge = HttpRequest.newBuilder(uri).POST(fiftyMebibytes()).build();
                    try (var client =
                            HttpClient.newBuilder()
                                    .version(HttpClient.Version.HTTP_1_1)
                                    .sslContext(TestCertificates.trusting(installed.authority()))
                                    .build()) {
                        // When
                        for (int i = 0; i < 4; i++) {
                            var _ = client.sendAsync(huge, BodyHandlers.discarding());
                        }
                        // Then
                        await().atMost(Duration.ofSeconds(60))
                                .untilAsserted(
                                        () ->
                                                assertThat(answer("/metrics").body())
                                                        .contains(REFUSED));
                    }
                    assertThat(answer("/readyz").statusCode()).isEqualTo(200);
                    assertThat(log()).doesNotContain("OutOfMemoryError", "ERROR");
                });
    }

    @Test
    void namesTheVariableAtFaultInOneLineAndExitsWithTwo() throws Exception {
        var process = start(Map.of("SLUICE_HTTP_PORT", "web", "SLUICE_NAMESPACE", "ns"), Map.of());

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(log())
                .isEqualTo(
                        "sluice-webhook: SLUICE_HTTP_PORT: 'web' must be a number from 0 to 65535\n");
    }

    private interface Story {
        void tell(InstalledWebhook installed, Process process) throws Exception;
    }

    /** Installs and starts it, and takes both away again. */
    private void whileReady(Story story) throws Exception {
        var installed = new InstalledWebhook(API);
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), API.kubeconfig());
        var process = start(installed.environment(), Map.of("KUBECONFIG", kubeconfig.toString()));
        try {
            installed.register(port("https"));
            awaitReady();
            story.tell(installed, process);
        } finally {
            process.destroyForcibly();
            installed.remove();
        }
    }

    private Process start(Map<String, String> environment, Map<String, String> more)
            throws IOException {
        var builder =
                new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx128m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.sluice.webhook.Main"));
        builder.environment().put("SLUICE_LOG_FORMAT", "json");
        builder.environment().putAll(environment);
        builder.environment().putAll(more);
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private int port(String name) {
        var pattern = Pattern.compile("\"" + name + "\":\\s*\"?(\\d+)");
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> pattern.matcher(log()).results().findFirst(),
                        found -> found.isPresent())
                .map(found -> Integer.parseInt(found.group(1)))
                .orElseThrow();
    }

    private void awaitReady() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(answer("/readyz").statusCode()).isEqualTo(200));
    }

    private HttpResponse<String> answer(String path) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var uri = URI.create("http://localhost:" + port("http") + path);
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }

    /** Sent in chunks: nothing says beforehand how many there are. */
    private static BodyPublisher fiftyMebibytes() {
        return BodyPublishers.ofByteArrays(Collections.nCopies(50, new byte[1024 * 1024]));
    }
}
