// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures the operator among ever more resources: a real API server, the operator's own process as
 * its image starts it, JobManagers over real HTTP, and no node. Prints a table and writes it to a
 * file; ends with 1 if a bar is missed. What is aimed at besides is told, and held against nobody.
 *
 * <pre>
 *   java -cp … io.sluice.bench.operator.OperatorBench FOLDER SIZES INTERVAL java FLAGS… io.sluice.operator.Main
 * </pre>
 */
public final class OperatorBench {
    /** After a size: session clusters instead of applications. */
    private static final String SESSIONS = "s";

    private static final Map<String, String> AIMS =
            Map.ofEntries(
                    Map.entry("all stable after, s", "< 20 at 1,000"),
                    Map.entry("requests a resource", "<= 8"),
                    Map.entry("  of which status writes", "<= 4"),
                    Map.entry("idle: processor a minute, s", "< 4 at 1,000"),
                    Map.entry("idle: API writes", "0"),
                    Map.entry("idle: API reads", "0"),
                    Map.entry("idle: resident, MiB", "< 250 at 1,000, < 512 at 10,000"),
                    Map.entry("edit: status p99, ms", "< 1000"),
                    Map.entry("edit: job asked to stop p99, ms", "< 1000"),
                    Map.entry("restart: every job seen after, s", "< 60 at 10,000"),
                    Map.entry("restart: jobs touched", "0"),
                    Map.entry("restart: API writes", "0"));

    private OperatorBench() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            System.exit(isFastEnough(arguments) ? 0 : 1); // the API server's process may linger
        } catch (IOException | RuntimeException failed) {
            System.err.println("the measurement failed: " + failed);
            System.exit(2);
        }
    }

    private static boolean isFastEnough(String[] arguments)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        String interval = arguments[2];
        List<String> command = List.of(arguments).subList(3, arguments.length);
        List<Column> columns = new ArrayList<>();
        for (String size : arguments[1].split(",", -1)) {
            var column = new Column(size);
            columns.add(column);
            Path own = folder.resolve("operator-" + size);
            Kind kind = size.endsWith(SESSIONS) ? Kind.SESSION_CLUSTERS : Kind.APPLICATIONS;
            int many = Integer.parseInt(size.replace(SESSIONS, ""));
            try (var trial = new Trial(many, kind, own, command, interval, column)) {
                trial.run();
            }
        }
        var bars = new Bars(columns);
        String table =
                "Looked at every "
                        + interval
                        + "; the API server, etcd, users, nodes and JobManagers share the machine's "
                        + Runtime.getRuntime().availableProcessors()
                        + " processors.\n"
                        + "Edits come "
                        + Edits.A_SECOND
                        + " a second, each an upgrade with a savepoint. \"1000s\": session clusters.\n"
                        + Column.table(columns, AIMS)
                        + "\n"
                        + bars.text();
        System.out.print(table);
        Files.writeString(folder.resolve("operator.txt"), table);
        return bars.areMet();
    }
}
