// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege;

import io.sluice.bench.siege.installation.ServedProcess;
import io.sluice.bench.siege.ordinary.Action;
import io.sluice.bench.siege.ordinary.Measurements;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table of a siege: what was measured without and under attack, and which bars it misses. */
final class Verdict {
    /** Under attack a p99 may be so many times what it was. */
    private static final double FACTOR = 2;

    /** And so much longer at least, as what takes milliseconds varies that much by itself. */
    private static final long LEAST_MILLIS = 500;

    /** What is alive on the heap after the attack may be so many times what it was before. */
    private static final double MEMORY_FACTOR = 1.25;

    private static final long LEAST_MEBIBYTES = 8;

    private final StringBuilder text = new StringBuilder();
    private final List<String> missed = new ArrayList<>();

    void title(String line) {
        text.append('\n').append(line).append('\n');
    }

    void line(String line) {
        text.append("  ").append(line).append('\n');
    }

    void latencies(Measurements quiet, Measurements attacked) {
        text.append(
                "%-46s %7s %9s %9s   %7s %9s %9s   %9s%n"
                        .formatted(
                                "milliseconds",
                                "quiet",
                                "median",
                                "p99",
                                "attack",
                                "median",
                                "p99",
                                "bar p99"));
        for (Action action : Action.values()) {
            long before = quiet.quantile(action, 0.99);
            long bar = Math.max((long) (before * FACTOR), before + LEAST_MILLIS);
            long p99 = attacked.quantile(action, 0.99);
            boolean isEmpty = attacked.count(action) == 0 || quiet.count(action) == 0;
            text.append(
                    "%-46s %7d %9d %9d   %7d %9d %9d   %9d %s%n"
                            .formatted(
                                    action,
                                    quiet.count(action),
                                    quiet.quantile(action, 0.5),
                                    before,
                                    attacked.count(action),
                                    attacked.quantile(action, 0.5),
                                    p99,
                                    bar,
                                    judged(
                                            action == Action.CONTROL || (p99 <= bar && !isEmpty),
                                            action + ": p99 " + p99 + " ms, bar " + bar + " ms")));
        }
        for (Action action : Action.values()) {
            none("failed without attack: " + action, quiet.failures(action));
            none("failed under attack: " + action, attacked.failures(action));
        }
    }

    /** How many of the machine's cores each process takes. */
    void cores(Map<String, Double> quiet, Map<String, Double> attacked) {
        text.append(
                "%n%-46s %7s %9s   (of %d)%n"
                        .formatted(
                                "cores",
                                "quiet",
                                "attack",
                                Runtime.getRuntime().availableProcessors()));
        attacked.forEach(
                (name, cores) ->
                        text.append(
                                "%-46s %7.2f %9.2f%n"
                                        .formatted(name, quiet.getOrDefault(name, 0.0), cores)));
        text.append('\n');
    }

    /** What a process uses before the attack and after it. */
    void memory(
            String component,
            ServedProcess.Memory before,
            ServedProcess.Memory after,
            long peak,
            long limit) {
        long bar =
                Math.max((long) (before.live() * MEMORY_FACTOR), before.live() + LEAST_MEBIBYTES);
        text.append(
                "%-11s resident MiB: before %4d, most %4d (limit %4d) %s, after %4d; live heap: before %3d, after %3d (bar %3d) %s%n"
                        .formatted(
                                component,
                                before.resident(),
                                peak,
                                limit,
                                judged(
                                        peak <= limit && peak > 0,
                                        component + ": memory above its limit"),
                                after.resident(),
                                before.live(),
                                after.live(),
                                bar,
                                judged(
                                        after.live() <= bar && after.live() > 0,
                                        component + ": memory did not go back")));
    }

    /** A bar that is met if there are none. */
    void none(String what, List<String> found) {
        if (found.isEmpty() && what.startsWith("failed")) {
            return;
        }
        text.append("%-60s %5d %s%n".formatted(what, found.size(), judged(found.isEmpty(), what)));
        found.stream().limit(5).forEach(each -> line("  " + each.lines().findFirst().orElse("")));
    }

    boolean isGood() {
        return missed.isEmpty();
    }

    String text() {
        String end =
                missed.isEmpty()
                        ? "All bars are met."
                        : "%d bars are missed:%n  %s"
                                .formatted(missed.size(), String.join("\n  ", missed));
        return String.format(Locale.ROOT, "%s%n%s%n", text, end);
    }

    private String judged(boolean good, String what) {
        if (!good) {
            missed.add(what);
        }
        return good ? "ok" : "MISSED";
    }
}
