// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.installation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which loopback address stands for what. Each JobManager has an address of its own, as in a
 * cluster; a file of hosts stands for the cluster's DNS.
 */
public final class Addresses {
    /** From where ordinary callers come, the API server among them. */
    static final String ORDINARY = "127.0.0.1";

    /** From where the pods come that attack ports. */
    static final List<String> PODS =
            IntStream.rangeClosed(2, 9).mapToObj(i -> "127.0.0." + i).toList();

    /** How many ordinary applications, one after the other, have a name. */
    static final int APPLICATIONS = 1000;

    static final int HOSTILE = 40;
    public static final String SESSION_CLUSTER = "session";
    private static final int PER_BLOCK = 250;

    private Addresses() {}

    public static String application(int index) {
        return "orders-" + index;
    }

    public static String hostile(int index) {
        return "hostile-" + index;
    }

    /** Of the JobManager of {@code name}, which is one of these names. */
    public static InetAddress of(String name) {
        int dash = name.lastIndexOf('-');
        int index = dash < 0 ? 0 : Integer.parseInt(name.substring(dash + 1));
        int first =
                switch (dash < 0 ? name : name.substring(0, dash)) {
                    case "orders" -> 1;
                    case "hostile" -> 2;
                    case "hostile-session" -> 3;
                    case SESSION_CLUSTER -> 4;
                    default -> throw new IllegalArgumentException(name);
                };
        return parsed("127.%d.%d.%d".formatted(first, index / PER_BLOCK, index % PER_BLOCK + 1));
    }

    public static InetAddress parsed(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException wrong) {
            throw new IllegalArgumentException(literal, wrong);
        }
    }

    /** A file for {@code jdk.net.hosts.file}, with the Services of all JobManagers. */
    static void writeHosts(Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
        IntStream.range(0, APPLICATIONS)
                .mapToObj(Addresses::application)
                .forEach(name -> lines.add(host(name, Namespaces.ORDINARY)));
        lines.add(host(SESSION_CLUSTER, Namespaces.ORDINARY));
        IntStream.range(0, HOSTILE)
                .mapToObj(Addresses::hostile)
                .forEach(name -> lines.add(host(name, Namespaces.HOSTILE)));
        lines.add(host(Namespaces.HOSTILE_SESSION, Namespaces.HOSTILE));
        Files.write(file, lines);
    }

    /** What replaces the processes' template of a JobManager's address: only the port differs. */
    static String template(int port) {
        return "http://{name}-rest.{namespace}:" + port;
    }

    /** A port that nobody has on any loopback address. */
    public static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String host(String name, String namespace) {
        return "%s %s-rest.%s".formatted(of(name).getHostAddress(), name, namespace);
    }
}
