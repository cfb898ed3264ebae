// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The autoscaler in a process of its own.
 *
 * @param port of its HTTP side, on the loopback interface
 * @param log what it prints
 */
record AutoscalerProcess(Process process, int port, Path log) {
    static AutoscalerProcess start(Path log, Map<String, String> environment, String... arguments)
            throws IOException {
        int port = freePort();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx160m",
                                "-cp",
                                System.getProperty(
                                        "surefire.real.class.path",
                                        System.getProperty("java.class.path")),
                                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.environment().put("SLUICE_HTTP_PORT", Integer.toString(port));
        builder.redirectErrorStream(true);
        builder.redirectOutput(log.toFile());
        return new AutoscalerProcess(builder.start(), port, log);
    }

    /** What it answers to a GET; empty while it does not answer. */
    String get(HttpClient http, String path) {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
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
