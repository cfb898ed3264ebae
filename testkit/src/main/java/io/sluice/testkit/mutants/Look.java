// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.SeedRuns.Sound;
import io.sluice.testkit.mutants.SeedRuns.Told;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * What seeds of one simulator have shown of a mutant.
 *
 * @param seeds how many there were
 * @param reached how many were run with it, as they run what it changes
 * @param differ those in which something happened that does not without it
 * @param found the seed that breaks a promise with it
 */
record Look(
        NamedTest simulator, long seeds, long reached, List<Long> differ, Optional<Seed> found) {
    /** A seed, and what was found at it. */
    record Seed(long number, String problem) {}

    static Look of(
            NamedTest simulator, long seeds, SortedMap<Long, Told> with, Map<Long, Sound> without) {
        List<Long> differ =
                with.entrySet().stream()
                        .filter(
                                it ->
                                        Optional.ofNullable(without.get(it.getKey()))
                                                .filter(each -> it.getValue().equals(each.told()))
                                                .isEmpty())
                        .map(Map.Entry::getKey)
                        .toList();
        Optional<Seed> found =
                with.entrySet().stream()
                        .filter(it -> it.getValue().isFinding())
                        .map(it -> new Seed(it.getKey(), it.getValue().problem()))
                        .findFirst();
        return new Look(simulator, seeds, with.size(), differ, found);
    }

    /** Whether a world lacks what reaches the fault, or an oracle lacks a promise. */
    static Sight.Missed shown(List<Look> looks) {
        long reached = looks.stream().mapToLong(Look::reached).sum();
        String all =
                "%d seeds (%s)"
                        .formatted(
                                looks.stream().mapToLong(Look::seeds).sum(),
                                looks.stream()
                                        .map(it -> it.simulator().toString())
                                        .collect(Collectors.joining(", ")));
        List<Look> differing = looks.stream().filter(it -> !it.differ().isEmpty()).toList();
        if (reached == 0) {
            return new Sight.Missed("No run of %s reaches it.".formatted(all));
        }
        if (differing.isEmpty()) {
            return new Sight.Missed(
                    "No run of %s is any different with it; %d reach it.".formatted(all, reached));
        }
        return new Sight.Missed(
                "Runs differ at %d of %s, as %s %d, and break no promise."
                        .formatted(
                                differing.stream().mapToLong(it -> it.differ().size()).sum(),
                                all,
                                differing.getFirst().simulator(),
                                differing.getFirst().differ().getFirst()));
    }
}
