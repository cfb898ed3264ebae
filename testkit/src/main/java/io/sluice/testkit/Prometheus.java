// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real Prometheus that scrapes one process each second. */
public final class Prometheus implements AutoCloseable {
    /** The environment variable that names the binary. */
    public static final String BINARY = "SLUICE_PROMETHEUS";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final int port;

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Returns once it answers.
     *
     * @param target port of the process on loopback
     * @param rules a file of alert rules, which it refuses to start with if one is wrong
     */
    public static Prometheus start(Path folder, int target, Path rules) throws IOException {
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
                  - job_name: sluice
                    honor_labels: true
                    static_configs: [{targets: ["127.0.0.1:%d"]}]
                """
                        .formatted(rules.toAbsolutePath(), target));
        Process process =
                new ProcessBuilder(
                                System.getenv(BINARY),
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
                .until(() -> started.get("/-/ready").statusCode() == 200);
        return started;
    }

    /** Where it answers. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The queries of a dashboard that give no series now. */
    public List<String> unanswered(Dashboard board) {
        return board.queries().stream().filter(query -> series(query) == 0).toList();
    }

    /** How many series a query gives now. A query that is none is an {@link AssertionError}. */
    public int series(String query) {
        try {
            HttpResponse<String> answer =
                    get("/api/v1/query?query=" + URLEncoder.encode(query, UTF_8));
            if (answer.statusCode() != 200) {
                throw new AssertionError(query + ": " + answer.body());
            }
            return JSON.readTree(answer.body()).at("/data/result").size();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        http.close();
    }

    private HttpResponse<String> get(String path) throws IOException {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }
}
