// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.flink;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real Flink with a busy job, in a process of its own: the engine carries copies of Flink classes
 * that no MiniCluster could live with.
 */
public final class BusyFlink implements AutoCloseable {
    private static final Path MODULE = Path.of("..", "flink-rest", "target");
    private static final String MAIN = "io.sluice.flink.rest.http.BusyCluster";

    /** What Flink 1.20 reaches into by reflection. */
    private static final List<String> OPENED =
            List.of("lang", "util", "util.concurrent", "time", "nio");

    private final Process process;
    private final URI at;

    public BusyFlink() throws IOException {
        process =
                new ProcessBuilder(command())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        at =
                output.lines()
                        .filter(line -> line.startsWith("http://"))
                        .map(URI::create)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("Flink did not start"));
    }

    public URI at() {
        return at;
    }

    /** Its input ends, and so does Flink. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        OPENED.forEach(name -> command.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED"));
        command.add("--add-exports=java.base/sun.net.util=ALL-UNNAMED");
        command.add("-cp");
        command.add(
                String.join(
                        System.getProperty("path.separator"),
                        MODULE.resolve("test-classes").toString(),
                        MODULE.resolve("classes").toString(),
                        Files.readString(MODULE.resolve("flink.classpath")).strip()));
        command.add(MAIN);
        return command;
    }
}
