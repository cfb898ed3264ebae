// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A webhook in a JVM of its own, and what the kernel says of it. */
final class WebhookProcess implements AutoCloseable {
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final long NANOS_PER_TICK = 10_000_000;

    private final Process process;
    private final long started;
    private final int https;
    private final int http;

    private WebhookProcess(Process process, long started, int https, int http) {
        this.process = process;
        this.started = started;
        this.https = https;
        this.http = http;
    }

    /**
     * @param command the Java command with all its flags, up to the main class
     * @param folder where its log goes
     */
    static WebhookProcess start(List<String> command, StandInApi api, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        int https = Ports.free();
        int http = Ports.free();
        var builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(
                        Map.of(
                                // As in the image.
                                "MALLOC_ARENA_MAX", "1",
                                "KUBERNETES_MASTER", api.url(),
                                "KUBERNETES_AUTH_TRYKUBECONFIG", "false",
                                "SLUICE_NAMESPACE", "bench",
                                "SLUICE_WEBHOOK_EXTRA_NAMES", "127.0.0.1",
                                "SLUICE_HTTPS_PORT", "" + https,
                                "SLUICE_HTTP_PORT", "" + http,
                                "SLUICE_LEAVING_SECONDS", "0",
                                // All callers of the bench have one address.
                                "SLUICE_NEW_CONNECTIONS_PER_SECOND", "20000",
                                "SLUICE_LOG_FORMAT", "json"));
        long started = System.nanoTime();
        var process =
                builder.redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        return new WebhookProcess(process, started, https, http);
    }

    int httpsPort() {
        return https;
    }

    /** Waits until it is ready; how long that took since it was started. */
    Duration awaitReady() throws IOException {
        while (!isReady()) {
            Duration waited = Duration.ofNanos(System.nanoTime() - started);
            if (!process.isAlive() || waited.compareTo(LONGEST_START) > 0) {
                throw new IllegalStateException("the webhook did not get ready; see its log");
            }
            Pauses.of(Duration.ofMillis(5));
        }
        return Duration.ofNanos(System.nanoTime() - started);
    }

    /** Processor time so far, of all its threads, in user and kernel mode. */
    Duration processorTime() {
        String stat = read("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return Duration.ofNanos(ticks * NANOS_PER_TICK);
    }

    /** Resident memory now, in bytes. */
    long residentBytes() {
        Matcher found = RESIDENT.matcher(read("status"));
        if (!found.find()) {
            throw new IllegalStateException("no VmRSS for process " + process.pid());
        }
        return Long.parseLong(found.group(1)) * 1024;
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

    private boolean isReady() throws IOException {
        var connection =
                (HttpURLConnection)
                        URI.create("http://127.0.0.1:" + http + "/readyz").toURL().openConnection();
        try {
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (java.net.SocketException _) {
            return false;
        } finally {
            connection.disconnect();
        }
    }

    private String read(String file) {
        try {
            return Files.readString(Path.of("/proc", "" + process.pid(), file));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
