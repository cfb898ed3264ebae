// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.sluice.testkit.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Has resources come and go for hours, and looks at what the operator keeps: a leak that a short
 * test does not see, an hourly line does. Prints a table and writes it to a file; ends with 1 if
 * memory grows.
 *
 * <pre>
 *   java -cp … io.sluice.bench.operator.OperatorSoak FOLDER MINUTES SECONDS java FLAGS… io.sluice.operator.Main
 * </pre>
 *
 * with a resource that comes and one that goes every so many seconds.
 */
public final class OperatorSoak {
    private static final int LOOKS = 48;

    /** Before a look: what is under way is no leak. */
    private static final Duration REST = Duration.ofSeconds(15);

    /** What comes before is a process that warms up. */
    private static final double JUDGED_FROM = 0.25;

    /** From the first judged look to the last one, MiB. */
    private static final double MOST_HEAP = 3;

    private static final double MOST_RESIDENT = 12;

    private OperatorSoak() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            System.exit(keepsNothing(arguments) ? 0 : 1);
        } catch (IOException | RuntimeException failed) {
            System.err.println("the soak failed: " + failed);
            System.exit(2);
        }
    }

    private static boolean keepsNothing(String[] arguments)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        Duration length = Duration.ofMinutes(Long.parseLong(arguments[1]));
        Duration turn = Duration.ofMillis(Math.round(Double.parseDouble(arguments[2]) * 1000));
        List<String> command = List.of(arguments).subList(3, arguments.length);
        List<Footprint> looks = new ArrayList<>();
        System.err.print(Footprint.heading());
        try (var around =
                new BenchEnvironment(
                        Kind.APPLICATIONS, folder.resolve("operator-soak"), command, "15 s")) {
            var churn = new Churn(around.resources(), around.jobManagers());
            long begin = System.nanoTime();
            for (int turns = 0; Waits.since(begin).compareTo(length) < 0; turns++) {
                Duration due = turn.multipliedBy(turns);
                Waits.pause(due.minus(Waits.since(begin)));
                churn.turn();
                if (Waits.since(begin)
                                .compareTo(length.dividedBy(LOOKS).multipliedBy(looks.size() + 1))
                        >= 0) {
                    Waits.pause(REST);
                    double hours = Waits.since(begin).toMillis() / 3_600_000.0;
                    looks.add(Footprint.of(around.operator(), hours, churn.gone()));
                    System.err.print(looks.getLast().row());
                }
            }
        }
        List<Footprint> judged =
                looks.stream()
                        .filter(look -> look.hours() >= JUDGED_FROM * length.toMinutes() / 60.0)
                        .toList();
        String report = report(length, turn, looks, judged);
        System.out.print(report);
        Files.writeString(folder.resolve("soak.txt"), report);
        return !Footprint.growth(judged, Footprint.Measure.HEAP).isMoreThan(MOST_HEAP)
                && !Footprint.growth(judged, Footprint.Measure.RESIDENT).isMoreThan(MOST_RESIDENT);
    }

    private static String report(
            Duration length, Duration turn, List<Footprint> looks, List<Footprint> judged) {
        var text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%d minutes; every %.1f s a resource came and one went. Memory in MiB, after a collection.%n%n",
                        length.toMinutes(),
                        turn.toMillis() / 1000.0));
        text.append(Footprint.heading());
        looks.forEach(look -> text.append(look.row()));
        text.append("\nA straight line through all but the first quarter:\n");
        for (Footprint.Measure what : Footprint.Measure.values()) {
            Footprint.Growth growth = Footprint.growth(judged, what);
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%-26s %+8.2f an hour, %+8.2f from its first look to the last, give or take %.2f%n",
                            what,
                            growth.hourly(),
                            growth.whole(),
                            growth.error()));
        }
        return text.toString();
    }
}
