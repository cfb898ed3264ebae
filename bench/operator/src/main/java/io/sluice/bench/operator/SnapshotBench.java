// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.sluice.testkit.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts the operator among many jobs, first without FlinkStateSnapshots and then with ten of each,
 * and measures what it holds and what it asks of the API server: at the start, and in steady state.
 * Prints a table and writes it to a file; ends with 1 if a bar is missed.
 *
 * <pre>
 *   java -cp … io.sluice.bench.operator.SnapshotBench FOLDER SIZES STEADY INTERVAL java FLAGS… io.sluice.operator.Main
 * </pre>
 *
 * with the minutes of steady state and the interval between two looks at a job.
 */
public final class SnapshotBench {
    /** A start is over when the operator has asked the API server for nothing for so long. */
    private static final Duration QUIET = Duration.ofSeconds(60);

    private static final Duration STEP = Duration.ofSeconds(3);

    private SnapshotBench() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            System.exit(isSmallEnough(arguments) ? 0 : 1);
        } catch (IOException | RuntimeException failed) {
            System.err.println("the measurement failed: " + failed);
            System.exit(2);
        }
    }

    private static boolean isSmallEnough(String[] arguments)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        Duration steady = Duration.ofSeconds(Math.round(Double.parseDouble(arguments[2]) * 60));
        List<String> command = List.of(arguments).subList(4, arguments.length);
        String interval = arguments[3];
        List<Column> columns = new ArrayList<>();
        for (String size : arguments[1].split(",", -1)) {
            Path own = folder.resolve("operator-snapshots-" + size);
            try (var around = BenchEnvironment.audited(Kind.APPLICATIONS, own, command, interval)) {
                columns.addAll(columns(around, Integer.parseInt(size), steady));
            }
        }
        var bars = new Bars(columns);
        String table =
                "Looked at every %s; \"1000x%d\": with %d FlinkStateSnapshots of each job, all of them complete.\n"
                                .formatted(interval, SnapshotPlanting.EACH, SnapshotPlanting.EACH)
                        + "Requests are the operator's, by the API server's audit log, without"
                        + " watches.\n"
                        + Column.table(columns, Map.of())
                        + "\n"
                        + bars.text();
        System.out.print(table);
        Files.writeString(folder.resolve("operator-snapshots.txt"), table);
        return bars.areMet();
    }

    private static List<Column> columns(BenchEnvironment around, int jobs, Duration steady)
            throws IOException, InterruptedException {
        around.nodes().setAge(Duration.ofDays(1));
        around.resources().create(0, 1);
        around.waitFor("the first job is stable", () -> around.resources().stable() == 1);
        SnapshotPlanting snapshots = around.snapshotPlanting();
        waitUntilQuiet(around); // All that the operator writes of a job is copied.
        around.endOperator();
        around.plant(1, jobs);
        around.waitUntilListed();

        var without = new Column("" + jobs);
        measure(around, without, jobs, 0, steady);
        around.endOperator();
        long start = System.nanoTime();
        snapshots.plant(0, jobs);
        around.waitUntilListed();
        var with = new Column(jobs + "x" + SnapshotPlanting.EACH);
        with.put("planted after, s", seconds(Waits.since(start)));
        measure(around, with, jobs, jobs * SnapshotPlanting.EACH, steady);
        return List.of(without, with);
    }

    private static void measure(
            BenchEnvironment around, Column column, int jobs, int snapshots, Duration steady)
            throws IOException, InterruptedException {
        int overdue = around.overdue().size();
        start(around, column, jobs, snapshots);
        steady(around, column, steady);
        column.put(Bars.TIMED_OUT, around.overdue().size() - overdue);
    }

    private static void start(BenchEnvironment around, Column column, int jobs, int snapshots)
            throws IOException {
        AuditedRequests before = around.audited();
        around.jobManagers().forgetWhoWasAsked();
        Instant begin = Instant.now();
        long start = System.nanoTime();
        around.startOperator();
        OperatorProcess operator = around.operator();
        around.waitFor("every job seen", () -> around.jobManagers().howManyWereAsked() == jobs);
        column.put(Bars.RESTART, seconds(Waits.since(start)));
        around.waitFor(
                "every snapshot seen",
                () -> {
                    Waits.pause(STEP);
                    return operator.metric("sluice_state_snapshots{") >= snapshots;
                });
        column.put("restart: every snapshot seen after, s", seconds(Waits.since(start)));
        column.put("  processor until then, s", seconds(operator.processorTime()));
        waitUntilQuiet(around);
        column.put(
                "restart: last request after, s",
                around.lastRequest()
                                .map(last -> Duration.between(begin, last).toMillis())
                                .orElse(0L)
                        / 1000.0);
        AuditedRequests made = around.audited().since(before);
        column.put("restart: requests", made.work());
        column.put(Bars.RESTART_WRITES, made.writes());
        column.note("requests of the start", made.text());
        column.put("restart: resident, MiB", operator.residentMebibytes());
    }

    private static void waitUntilQuiet(BenchEnvironment around) {
        around.waitFor(
                "no request",
                () -> {
                    Waits.pause(STEP);
                    return around.lastRequest()
                            .filter(last -> last.plus(QUIET).isAfter(Instant.now()))
                            .isEmpty();
                });
    }

    private static void steady(BenchEnvironment around, Column column, Duration length)
            throws IOException, InterruptedException {
        OperatorProcess operator = around.operator();
        AuditedRequests before = around.audited();
        Duration processor = operator.processorTime();
        Duration took = Waits.until(() -> false, length);
        double minutes = took.toMillis() / 60_000.0;
        AuditedRequests made = around.audited().since(before);
        column.put("steady: minutes", minutes);
        column.put(
                "steady: processor a minute, s",
                seconds(operator.processorTime().minus(processor)) / minutes);
        column.put(Bars.STEADY_REQUESTS, made.work());
        column.put("steady: watches opened again", made.watches());
        column.note("requests in steady state", made.text());
        column.put("steady: resident, MiB", operator.residentMebibytes());
        column.put(Bars.MOST_RESIDENT, operator.peakMebibytes());
        column.put("steady: kept on the heap, MiB", Footprint.of(operator, 0, 0).heap());
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
