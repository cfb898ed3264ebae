// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.sluice.testkit.ProcessStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The operator in a JVM of its own, and what the kernel says of it. */
final class OperatorProcess implements AutoCloseable {
    private final Process process;
    private final int port;

    private OperatorProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * @param command the Java command with all its flags, up to the main class
     * @param folder with its kubeconfig; its log goes there
     * @param jobManagers the port they answer at
     */
    static OperatorProcess start(List<String> command, Path folder, int jobManagers)
            throws IOException {
        int port = freePort();
        var builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(
                        Map.of(
                                // As in the image.
                                "MALLOC_ARENA_MAX",
                                "1",
                                "KUBECONFIG",
                                folder.resolve("kubeconfig").toString(),
                                "SLUICE_HTTP_PORT",
                                "" + port,
                                "SLUICE_CONFIG_DIR",
                                folder.toString(),
                                "SLUICE_REST_TEMPLATE",
                                Names.template(jobManagers),
                                "SLUICE_LOG_FORMAT",
                                "json"));
        var process =
                builder.redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve("operator.log").toFile()))
                        .start();
        return new OperatorProcess(process, port);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    Duration processorTime() {
        return Processor.timeOf(process.pid());
    }

    long residentMebibytes() {
        return status().residentMebibytes().orElseThrow(OperatorProcess::ended);
    }

    long peakMebibytes() {
        return status().peakMebibytes().orElseThrow(OperatorProcess::ended);
    }

    long threads() {
        return status().threads().orElseThrow(OperatorProcess::ended);
    }

    /** Open files, most of them connections. */
    long openFiles() {
        try (var files = Files.list(Path.of("/proc", "" + process.pid(), "fd"))) {
            return files.count();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** The sum of a series of its own metrics; 0 while nobody answers. */
    double metric(String series) {
        return metrics().stream()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Its own metrics, a line each; none while nobody answers. */
    List<String> metrics() {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.ofLines()).body().toList();
        } catch (IOException notUp) {
            return List.of();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** Has it free what nothing refers to any more, so that what is left is kept. */
    void collectGarbage() throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        int code =
                new ProcessBuilder(jcmd.toString(), "" + process.pid(), "GC.run")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
        if (code != 0) {
            throw new IOException(jcmd + " GC.run ended with " + code);
        }
    }

    /** Ends it as Kubernetes would, and waits for it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private ProcessStatus status() {
        return new ProcessStatus(process.pid());
    }

    private static IllegalStateException ended() {
        return new IllegalStateException("the operator has ended; see its log");
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
