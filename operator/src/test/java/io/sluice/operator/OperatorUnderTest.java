// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The real process in one namespace, with its files in one folder. */
public final class OperatorUnderTest implements AutoCloseable {
    private static final String LOOK_OFTEN =
            "kubernetes.operator.dynamic.config.check.interval: 300 ms\n";

    private final Path folder;
    private final int port;
    private final Process process;

    private OperatorUnderTest(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /**
     * Returns once it leads.
     *
     * @param entries of its configuration, as YAML
     * @param more of its environment
     * @param flags of its Java
     */
    public static OperatorUnderTest start(
            Path folder,
            String kubeconfig,
            String namespace,
            String entries,
            Map<String, String> more,
            String... flags)
            throws IOException {
        OperatorUnderTest started = launch(folder, kubeconfig, namespace, entries, more, flags);
        await().atMost(ofMinutes(2))
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(started.metrics()).contains("sluice_operator_leader 1.0"));
        return started;
    }

    /** Returns at once, see {@link #start}. */
    static OperatorUnderTest launch(
            Path folder,
            String kubeconfig,
            String namespace,
            String entries,
            Map<String, String> more,
            String... flags)
            throws IOException {
        int port = freePort();
        write(folder, entries);
        Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        command.addAll(List.of(flags));
        command.addAll(
                List.of(
                        "-cp",
                        Optional.ofNullable(System.getProperty("surefire.test.class.path"))
                                .orElse(System.getProperty("java.class.path")),
                        Main.class.getName()));
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        Map<String, String> environment = new HashMap<>();
        environment.put("KUBECONFIG", folder.resolve("kubeconfig").toString());
        environment.put("SLUICE_CONFIG_DIR", folder.resolve("conf").toString());
        environment.put("SLUICE_HTTP_PORT", Integer.toString(port));
        environment.put("SLUICE_NAMESPACE", namespace);
        environment.put("SLUICE_WATCH_NAMESPACES", namespace);
        environment.put("SLUICE_LEADER_ELECTION", "sluice-operator");
        environment.put("POD_NAME", "operator-0");
        environment.putAll(more);
        builder.environment().putAll(environment);
        return new OperatorUnderTest(folder, port, builder.start());
    }

    public int port() {
        return port;
    }

    public Process process() {
        return process;
    }

    public void configure(String entries) throws IOException {
        write(folder, entries);
    }

    public String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    public String metrics() throws IOException {
        return get("/metrics").body();
    }

    /** The sum of all series that begin so. */
    public double sum(String series) throws IOException {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    public HttpResponse<String> get(String path) throws IOException {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .timeout(ofSeconds(20))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    /** As Kubernetes would; whether it ended in time. */
    public boolean end() throws InterruptedException {
        process.destroy();
        return process.waitFor(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static void write(Path folder, String entries) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("config.yaml"), LOOK_OFTEN + entries);
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
