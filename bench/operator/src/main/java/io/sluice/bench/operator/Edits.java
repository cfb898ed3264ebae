// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import io.sluice.testkit.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How long users waited after an edit.
 *
 * @param status until the status spoke of the edit, sorted
 * @param effect until the job was told to stop for it, sorted
 * @param stable how long until all edits were carried out
 * @param pending how many were not, within three minutes
 */
record Edits(List<Double> status, List<Double> effect, Duration stable, long pending) {
    /** Each is an upgrade: with more, two processors are busy with those before. */
    static final int A_SECOND = 2;

    private static final Duration LONGEST = Duration.ofMinutes(3);

    Edits {
        status = List.copyOf(status);
        effect = List.copyOf(effect);
    }

    /** Edits {@code names} one after the other and waits until all of it is carried out. */
    static Edits of(List<String> names, Resources resources, JobManagers jobManagers) {
        long[] sent = new long[names.size()];
        long begin = System.nanoTime();
        for (int i = 0; i < names.size(); i++) {
            long due = begin + i * Duration.ofSeconds(1).toNanos() / A_SECOND;
            Waits.until(() -> System.nanoTime() >= due, Duration.ofSeconds(1));
            sent[i] = System.nanoTime();
            resources.edit(names.get(i), "registry.example.org/streaming/orders:2026.12.0");
        }
        Waits.until(() -> names.stream().allMatch(name -> resources.isStable(name, 2)), LONGEST);
        return new Edits(
                millis(names, sent, resources::answered),
                millis(names, sent, jobManagers::firstChange),
                Waits.since(begin),
                names.stream().filter(name -> !resources.isStable(name, 2)).count());
    }

    static double quantile(List<Double> sorted, double part) {
        return sorted.isEmpty()
                ? Double.NaN
                : sorted.get(Math.min(sorted.size() - 1, (int) (part * sorted.size())));
    }

    private static List<Double> millis(
            List<String> names, long[] sent, Function<String, Optional<Long>> when) {
        return IntStream.range(0, sent.length)
                .mapToObj(
                        i ->
                                when.apply(names.get(i))
                                        .map(at -> (at - sent[i]) / 1e6)
                                        .orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toList();
    }
}
