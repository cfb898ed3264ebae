// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** So many resources, from the first to the last measurement. */
final class Trial implements AutoCloseable {
    private static final Duration SETTLING = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(60);
    private static final int MOST_EDITS = 200;

    /** More are copied. */
    private static final int MOST_CREATED = Integer.getInteger("bench.created", 1000);

    private static final int MOST_SILENT = 1000;

    private final int size;
    private final Kind kind;
    private final Column column;
    private final BenchEnvironment around;

    /**
     * @param kind applications are edited too, and some fall silent
     * @param command the operator's Java command with all its flags, up to the main class
     * @param interval the operator's configured interval between two looks
     */
    Trial(int size, Kind kind, Path folder, List<String> command, String interval, Column column)
            throws IOException {
        this.size = size;
        this.kind = kind;
        this.column = column;
        around = new BenchEnvironment(kind, folder, command, interval);
    }

    void run() throws IOException, InterruptedException {
        int created = Math.min(size, MOST_CREATED);
        creation(created);
        if (created < size) {
            planting(created);
        }
        Waits.pause(SETTLING);
        idle();
        switch (kind) {
            case APPLICATIONS -> {
                edits(0, Bars.EDIT);
                silence();
                restart();
            }
            case SESSION_CLUSTERS -> restart();
        }
        column.put(Bars.TIMED_OUT, around.overdue().size());
    }

    private void planting(int from) throws IOException {
        Waits.pause(SETTLING); // All that the operator writes of a job is copied.
        around.endOperator();
        around.plant(from, size);
        around.waitUntilListed();
        around.nodes().waitUntilServed(size);
        around.jobManagers().forgetWhoWasAsked();
        long start = System.nanoTime();
        around.startOperator();
        around.waitFor(
                "a first sight of all others",
                () -> around.jobManagers().howManyWereAsked() == size);
        column.put("first sight of all others: after, s", seconds(Waits.since(start)));
    }

    private void creation(int size) throws InterruptedException {
        Resources resources = around.resources();
        OperatorProcess operator = around.operator();
        ApiRequests before = around.requests();
        long own = around.nodes().writes();
        Duration processor = operator.processorTime();
        Duration server = Processor.timeOfApiServer();
        long start = System.nanoTime();
        resources.create(0, size);
        column.put("all created after, s", seconds(Waits.since(start)));
        around.waitFor("all stable", () -> resources.stable() == size);
        column.put("all stable after, s", seconds(Waits.since(start)));
        column.put("  that are stable", resources.stable());
        column.put("  processor until then, s", seconds(operator.processorTime().minus(processor)));
        column.put(
                "  the API server's until then, s",
                seconds(Processor.timeOfApiServer().minus(server)));
        Waits.pause(Duration.ofSeconds(5));
        ApiRequests made =
                around.requests()
                        .since(before)
                        .without("POST flinkdeployments", size)
                        .without("PUT deployments/status", around.nodes().writes() - own);
        column.put("requests a resource", (double) made.all() / size);
        column.put("  of which writes", (double) made.writes() / size);
        column.put("  of which status writes", (double) made.statusWrites() / size);
        column.note("requests a resource, until stable", made.perResource(size));
        column.put("resident at the most, MiB", operator.peakMebibytes());
    }

    private void idle() {
        OperatorProcess operator = around.operator();
        ApiRequests before = around.requests();
        long rest = around.jobManagers().requests();
        Duration processor = operator.processorTime();
        Duration took = Waits.until(() -> false, LOOK);
        double minutes = took.toMillis() / 60_000.0;
        column.put(
                "idle: processor a minute, s",
                operator.processorTime().minus(processor).toMillis() / 1000.0 / minutes);
        column.put(
                "idle: JobManager requests a minute",
                (around.jobManagers().requests() - rest) / minutes);
        ApiRequests made = around.requests().since(before);
        column.put("idle: API writes", made.writes());
        column.put("idle: API reads", made.all() - made.writes());
        column.put(Bars.IDLE_RESIDENT, operator.residentMebibytes());
        column.put("idle: threads", operator.threads());
        column.put("idle: open files", operator.openFiles());
    }

    private void edits(int from, String what) {
        Edits edits;
        try (var standstill = new SchedulingDelay()) {
            edits =
                    Edits.of(
                            names(from, from + Math.min(MOST_EDITS, size / 4)),
                            around.resources(),
                            around.jobManagers());
            column.put(what + ": the machine stood still at most, ms", standstill.longestMillis());
        }
        column.put(what + ": status p50, ms", Edits.quantile(edits.status(), 0.5));
        column.put(what + Bars.STATUS_P99, Edits.quantile(edits.status(), 0.99));
        column.put(what + ": job asked to stop p50, ms", Edits.quantile(edits.effect(), 0.5));
        column.put(what + Bars.STOP_P99, Edits.quantile(edits.effect(), 0.99));
        column.put(what + ": all carried out after, s", seconds(edits.stable()));
        column.put(what + Bars.NOT_CARRIED_OUT, edits.pending());
    }

    /** Of the process that saw the edits before, so that the two can be compared. */
    private void silence() {
        int many = Math.min(MOST_SILENT, size / 10);
        List<String> silent = names(size - many, size);
        silent.forEach(around.jobManagers()::silence);
        Waits.pause(LOOK);
        column.put("silent: JobManagers", many);
        edits(size / 4, Bars.EDIT_BESIDE_SILENCE);
        column.put("silent: resident, MiB", around.operator().residentMebibytes());
        column.put("silent: threads", around.operator().threads());
        silent.forEach(around.jobManagers()::answer);
        Waits.pause(LOOK.multipliedBy(2));
    }

    private void restart() throws IOException {
        around.endOperator();
        around.jobManagers().forgetWhoWasAsked();
        ApiRequests before = around.requests();
        long changes = around.jobManagers().changes();
        long start = System.nanoTime();
        around.startOperator();
        around.waitFor(
                "every job seen after a restart",
                () -> around.jobManagers().howManyWereAsked() == size);
        OperatorProcess operator = around.operator();
        column.put(Bars.RESTART, seconds(Waits.since(start)));
        column.put("  processor until then, s", seconds(operator.processorTime()));
        Waits.pause(SETTLING);
        ApiRequests made = around.requests().since(before);
        column.put(Bars.JOBS_TOUCHED, around.jobManagers().changes() - changes);
        column.put("restart: API writes", made.writes());
        column.put("restart: resident, MiB", operator.residentMebibytes());
        column.put("restart: resident at the most, MiB", operator.peakMebibytes());
    }

    @Override
    public void close() {
        around.close();
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(Names::of).toList();
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
