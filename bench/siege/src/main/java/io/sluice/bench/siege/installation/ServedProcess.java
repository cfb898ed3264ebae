// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import io.sluice.testkit.ProcessStatus;
import io.sluice.testkit.Waits;
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
import java.util.regex.Pattern;

/** One of the three processes in a JVM of its own, and what the kernel says of it. */
public final class ServedProcess implements AutoCloseable {
    /** A line of a list of objects: rank, count, bytes, class. */
    private static final Pattern OF_CLASS = Pattern.compile("(?m)^ *\\d+: +\\d+ +(\\d+) +(\\S+)");

    /** Of which the collector makes objects that fill gaps between the live ones. */
    private static final String FILLER = "jdk.internal.vm.Filler";

    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    private final String name;
    private final Process process;
    private final int port;

    private ServedProcess(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it; it ends when this JVM ends, however that ends.
     *
     * @param command its Java command with all flags and its main class
     * @param port its plain HTTP port
     * @param log its output is appended to it
     */
    static ServedProcess start(
            String name, List<String> command, Map<String, String> environment, int port, Path log)
            throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.environment().put("SLUICE_HTTP_PORT", "" + port);
        Process process =
                builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        Guard.with(process.pid());
        return new ServedProcess(name, process, port);
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void awaitReady() {
        if (!Waits.reaches(() -> !isAlive() || isReady(), LONGEST_START) || !isAlive()) {
            throw new IllegalStateException("the " + name + " did not get ready; see its log");
        }
    }

    boolean isReady() {
        try {
            var connection =
                    (HttpURLConnection)
                            URI.create("http://127.0.0.1:" + port + "/readyz")
                                    .toURL()
                                    .openConnection();
            connection.setConnectTimeout(5000);
            connection.setReadTimeout(5000);
            try {
                return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            } finally {
                connection.disconnect();
            }
        } catch (IOException notUp) {
            return false;
        }
    }

    /** Resident memory, MiB; 0 once it has ended. */
    long residentMebibytes() {
        return new ProcessStatus(pid()).residentMebibytes().orElse(0);
    }

    /** The most resident memory so far, MiB; 0 once it has ended. */
    public long peakMebibytes() {
        return new ProcessStatus(pid()).peakMebibytes().orElse(0);
    }

    /** Forgets the {@link #peakMebibytes} so far, as far as the kernel lets us. */
    void forgetPeak() {
        try {
            Files.writeString(Path.of("/proc", "" + pid(), "clear_refs"), "5");
        } catch (IOException kept) {
            System.err.println("the peak of " + name + " so far stays: " + kept);
        }
    }

    /**
     * Memory after a collection of garbage, MiB.
     *
     * @param resident 0 once the process has ended
     * @param live of objects that are reachable
     */
    public record Memory(long resident, long live) {}

    /**
     * Collects its garbage and measures.
     *
     * @param histogram the file for the list of its live objects by class
     */
    Memory settledMemory(Path histogram) throws IOException {
        String objects = jcmd("GC.class_histogram");
        Files.writeString(histogram, objects);
        // What malloc keeps is given back by a timer of 5 s.
        Waits.pause(Duration.ofSeconds(6));
        long live =
                OF_CLASS.matcher(objects)
                        .results()
                        .filter(each -> !each.group(2).contains(FILLER))
                        .mapToLong(each -> Long.parseLong(each.group(1)))
                        .sum();
        return new Memory(residentMebibytes(), live / 1024 / 1024);
    }

    private String jcmd(String command) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process asked =
                    new ProcessBuilder(jcmd.toString(), "" + pid(), command)
                            .redirectErrorStream(true)
                            .start();
            try (var output = asked.inputReader()) {
                return output.readAllAsString();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends it as Kubernetes would, and waits for it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurried) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
