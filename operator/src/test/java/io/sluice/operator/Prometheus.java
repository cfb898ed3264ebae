// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real Prometheus that scrapes one process each second. */
final class Prometheus implements AutoCloseable {
    private final Process process;
    private final int port;

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * @param binary of Debian's package, for instance
     * @param rules a file of alert rules, which it refuses to start with if one is wrong
     */
    static Prometheus start(String binary, Path folder, int target, Path rules) throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path configuration = folder.resolve("prometheus.yml");
        Files.writeString(
                configuration,
                """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: sluice-operator
                    honor_labels: true
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """
                        .formatted(rules.toAbsolutePath(), target));
        Process process =
                new ProcessBuilder(
                                binary,
                                "--config.file=" + configuration,
                                "--storage.tsdb.path=" + folder.resolve("data"),
                                "--web.listen-address=127.0.0.1:" + port,
                                "--web.console.libraries=" + folder,
                                "--web.console.templates=" + folder)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("prometheus.log").toFile())
                        .start();
        var started = new Prometheus(process, port);
        await().atMost(ofSeconds(60))
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(started.get("/-/ready").statusCode()).isEqualTo(200));
        return started;
    }

    /** How many series a query gives now. */
    int series(String query) throws IOException {
        HttpResponse<String> answer = get("/api/v1/query?query=" + URLEncoder.encode(query, UTF_8));
        assertThat(answer.statusCode()).as(query + ": " + answer.body()).isEqualTo(200);
        JsonNode result = new ObjectMapper().readTree(answer.body()).path("data").path("result");
        return result.size();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private HttpResponse<String> get(String path) throws IOException {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }
}
