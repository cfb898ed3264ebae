// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Divides applications among operators by a label, as two releases in one cluster do, and measures
 * them beside one operator that serves all: what each holds, what all together cost, and whether
 * each job is looked at by one of them only. Prints a table and writes it to a file; ends with 1 if
 * a bar is missed.
 *
 * <pre>
 *   java -cp … io.sluice.bench.operator.ShardBench FOLDER RESOURCES SHARDS INTERVAL java FLAGS… io.sluice.operator.Main
 * </pre>
 */
public final class ShardBench {
    private static final String LABEL = "shard";
    private static final Duration SETTLING = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(60);
    private static final int EDITS = 100;

    private final BenchEnvironment around;
    private final int size;
    private final int shards;

    private ShardBench(BenchEnvironment around, int size, int shards) {
        this.around = around;
        this.size = size;
        this.shards = shards;
    }

    public static void main(String[] arguments) throws InterruptedException {
        try {
            System.exit(isDivided(arguments) ? 0 : 1); // the API server's process may linger
        } catch (IOException | RuntimeException failed) {
            System.err.println("the measurement failed: " + failed);
            System.exit(2);
        }
    }

    private static boolean isDivided(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        int size = Integer.parseInt(arguments[1]);
        int shards = Integer.parseInt(arguments[2]);
        List<String> command = List.of(arguments).subList(4, arguments.length);
        var one = new Column("1 x " + size);
        var divided = new Column(shards + " x " + size / shards);
        Path own = folder.resolve("operator-shards");
        try (var around = new BenchEnvironment(Kind.APPLICATIONS, own, command, arguments[3])) {
            var bench = new ShardBench(around, size, shards);
            bench.plant();
            around.startOperator();
            bench.measure(one, List.of(around.operator()));
            around.endOperator();
            bench.divided(divided);
        }
        var bars = new Bars(List.of(one, divided));
        String table =
                "Looked at every "
                        + arguments[3]
                        + "; each operator serves the applications of one label.\n"
                        + Column.table(List.of(one, divided), Map.of())
                        + "\n"
                        + bars.text();
        System.out.print(table);
        Files.writeString(folder.resolve("operator-shards.txt"), table);
        return bars.areMet();
    }

    /** All of them, as one operator has left the first one of each shard. */
    private void plant() throws IOException {
        around.nodes().setAge(Duration.ofDays(1));
        for (int shard = 0; shard < shards; shard++) {
            around.resources().create(Names.of(first(shard)), Map.of(LABEL, "" + shard));
        }
        around.waitFor(
                "the first job of each shard is stable",
                () -> around.resources().stable() == shards);
        Waits.pause(SETTLING); // All that the operator writes of a job is copied.
        around.endOperator();
        for (int shard = 0; shard < shards; shard++) {
            around.plant(first(shard), first(shard) + 1, first(shard + 1));
        }
        around.waitUntilListed();
        around.nodes().waitUntilServed(size);
        around.nodes().setAge(Duration.ZERO);
    }

    private void divided(Column column) throws IOException {
        List<OperatorProcess> operators = new ArrayList<>();
        try {
            for (int shard = 0; shard < shards; shard++) {
                operators.add(around.startOperator(LABEL + "=" + shard));
            }
            measure(column, operators);
            edits(column);
            alone(column, operators);
        } finally {
            operators.forEach(OperatorProcess::close);
        }
    }

    private void measure(Column column, List<OperatorProcess> operators) {
        long changes = around.jobManagers().changes();
        around.jobManagers().forgetWhoWasAsked();
        long start = System.nanoTime();
        around.waitFor(
                "every job seen", operators, () -> around.jobManagers().howManyWereAsked() == size);
        column.put(Bars.RESTART, Waits.since(start).toMillis() / 1000.0);
        Waits.pause(SETTLING);
        ApiRequests before = around.requests();
        long asked = around.jobManagers().requests();
        Duration processor = processor(operators);
        double minutes = Waits.until(() -> false, LOOK).toMillis() / 60_000.0;
        column.put(
                "idle: processor a minute, all together, s",
                processor(operators).minus(processor).toMillis() / 1000.0 / minutes);
        column.put(
                "idle: JobManager requests a minute",
                (around.jobManagers().requests() - asked) / minutes);
        ApiRequests made = around.requests().since(before);
        column.put("idle: API writes", made.writes());
        column.put("idle: API reads", made.all() - made.writes());
        column.put(Bars.IDLE_RESIDENT, most(operators, OperatorProcess::residentMebibytes));
        column.put(Bars.MOST_RESIDENT, most(operators, OperatorProcess::peakMebibytes));
        column.put(Bars.JOBS_TOUCHED, around.jobManagers().changes() - changes);
        column.put(Bars.TIMED_OUT, around.overdue().size());
    }

    /** Users edit applications of each shard in turn. */
    private void edits(Column column) {
        Edits edits =
                Edits.of(
                        IntStream.range(0, EDITS)
                                .mapToObj(i -> Names.of(first(i % shards) + i / shards))
                                .toList(),
                        around.resources(),
                        around.jobManagers());
        column.put(Bars.EDIT + Bars.STATUS_P99, Edits.quantile(edits.status(), 0.99));
        column.put(Bars.EDIT + Bars.STOP_P99, Edits.quantile(edits.effect(), 0.99));
        column.put(Bars.EDIT + Bars.NOT_CARRIED_OUT, edits.pending());
    }

    /** Ends all operators but the first one, and counts the jobs that it looks at. */
    private void alone(Column column, List<OperatorProcess> operators) {
        operators.stream().skip(1).forEach(OperatorProcess::close);
        Waits.pause(SETTLING);
        around.jobManagers().forgetWhoWasAsked();
        Waits.pause(LOOK);
        var own =
                IntStream.range(first(0), first(1)).mapToObj(Names::of).collect(Collectors.toSet());
        var asked = around.jobManagers().whoWasAsked();
        column.put("the first one alone: jobs looked at", asked.size());
        column.put(Bars.OF_ANOTHER, asked.stream().filter(name -> !own.contains(name)).count());
    }

    private int first(int shard) {
        return size / shards * shard;
    }

    private static Duration processor(List<OperatorProcess> operators) {
        return operators.stream()
                .map(OperatorProcess::processorTime)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static long most(List<OperatorProcess> operators, ToLongFunction<OperatorProcess> of) {
        return operators.stream().mapToLong(of).max().orElseThrow();
    }
}
