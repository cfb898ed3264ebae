// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.autoscaler.flink.FlinkReplies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own before the replies of one JobManager, without Kubernetes. */
class StandaloneLocksIT {
    private static final String JOB = "orders-by-hour-2957956b";
    private static final String WAITS = "this process waits until that one ends";

    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final FlinkReplies flink = new FlinkReplies();
    private final List<Autoscaler> autoscalers = new ArrayList<>();

    private record Autoscaler(Process process, int port, Path log) {}

    @BeforeEach
    void prepare() {
        flink.load(1000, 990);
        flink.configuredWith(
                Map.of("jobmanager.scheduler", "adaptive", "job.autoscaler.enabled", "true"));
    }

    @AfterEach
    void stop() {
        autoscalers.forEach(each -> each.process().destroyForcibly());
        flink.close();
        http.close();
    }

    @Test
    void theSecondWaitsAndTakesOverWhenTheFirstIsKilled() throws Exception {
        Autoscaler first = start("first", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1)).until(() -> get(first, "/explain").contains(JOB));

        Autoscaler second = start("second", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> get(second, "/metrics"),
                        text ->
                                text.contains(
                                        "sluice_autoscaler_cluster_up{cluster=\"shop\",} 1.0"));

        assertThat(get(second, "/metrics"))
                .contains("sluice_autoscaler_cluster_held{cluster=\"shop\",} 0.0");
        assertThat(get(second, "/explain")).isEqualTo("[]");
        assertThat(get(second, "/explain/shop/" + JOB))
                .contains("process " + first.process().pid() + " on ")
                .contains("scales the jobs of shop");
        assertThat(get(second, "/readyz")).isEqualTo("ok\n");
        assertThat(Files.readString(second.log())).containsOnlyOnce(WAITS);

        first.process().destroyForcibly().waitFor();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(10))
                .until(() -> get(second, "/explain").contains(JOB));
        assertThat(get(second, "/metrics"))
                .contains("sluice_autoscaler_cluster_held{cluster=\"shop\",} 1.0");
    }

    @Test
    void theSecondTakesOverWhenTheFirstIsAskedToEnd() throws Exception {
        Autoscaler first = start("first", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1)).until(() -> get(first, "/explain").contains(JOB));
        Autoscaler second = start("second", "shop=" + flink.at());
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(second.log()).contains(WAITS));

        first.process().destroy();

        await().pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(15))
                .until(() -> get(second, "/explain").contains(JOB));
    }

    @Test
    void aProcessThatKnowsTheClusterByTwoNamesKeepsItsLock() throws Exception {
        Autoscaler first = start("first", "shop=" + flink.at() + ",store=" + flink.at());
        await().atMost(Duration.ofMinutes(1)).until(() -> get(first, "/explain").contains(JOB));
        assertThat(get(first, "/explain")).containsOnlyOnce(JOB);

        Autoscaler second = start("second", "shop=" + flink.at());

        await().atMost(Duration.ofMinutes(1))
                .until(() -> Files.readString(second.log()).contains(WAITS));
    }

    @Test
    void endsWithExitCode2IfTheFolderCanNotBeUsed() throws Exception {
        Files.writeString(folder.resolve("locks"), "");

        Autoscaler only = start("only", "shop=" + flink.at());

        assertThat(only.process().waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(only.process().exitValue()).isEqualTo(2);
        assertThat(Files.readString(only.log()))
                .contains(
                        "sluice-autoscaler: SLUICE_LOCK_DIR: '"
                                + folder.resolve("locks")
                                + "' can't be used");
    }

    private Autoscaler start(String name, String clusters) throws IOException {
        int port = freePort();
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx160m",
                        "-cp",
                        System.getProperty(
                                "surefire.real.class.path", System.getProperty("java.class.path")),
                        Main.class.getName(),
                        "--standalone",
                        "--autoscaler.standalone.fetcher.flink-clusters",
                        clusters,
                        "--autoscaler.standalone.control-loop.interval",
                        "500 ms");
        builder.environment()
                .putAll(
                        Map.of(
                                "SLUICE_LOCK_DIR",
                                folder.resolve("locks").toString(),
                                "SLUICE_HTTP_PORT",
                                Integer.toString(port)));
        builder.redirectErrorStream(true);
        builder.redirectOutput(log.toFile());
        var started = new Autoscaler(builder.start(), port, log);
        autoscalers.add(started);
        return started;
    }

    /** Nothing while it does not answer. */
    private String get(Autoscaler autoscaler, String path) {
        URI uri = URI.create("http://127.0.0.1:" + autoscaler.port() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
        } catch (IOException notUp) {
            return "";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
