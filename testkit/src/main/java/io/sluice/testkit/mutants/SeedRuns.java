// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.NamedTestRun.Outcome;
import io.sluice.testkit.mutants.NamedTestRun.TestResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What simulators tell of each seed, with a mutant and without one.
 *
 * @param told the file in which a simulator tells it
 * @param sound what is known without a mutant
 */
record SeedRuns(
        Workshop workshop,
        SimulatorRuns simulators,
        ReachedLines lines,
        Path told,
        Map<NamedTest, SortedMap<Long, Sound>> sound) {
    /** The method that is run of a simulator that is named without one. */
    private static final String METHOD = "keepsItsPromisesWhateverHappens";

    /**
     * What came of one seed.
     *
     * @param digest of all that happened
     * @param problem empty if nothing was found
     */
    record Told(String digest, String problem) {
        boolean isFinding() {
            return !problem.isEmpty();
        }
    }

    /**
     * What came of one seed without a mutant.
     *
     * @param reached the numbers of the lines that it has run
     */
    record Sound(Told told, BitSet reached) {}

    static SeedRuns in(Workshop workshop, List<Mutant> mutants) throws IOException {
        ReachedLines lines = ReachedLines.none();
        return new SeedRuns(
                workshop,
                workshop.simulators(
                        lines, mutants.stream().map(Mutant::className).collect(Collectors.toSet())),
                lines,
                workshop.folder().resolve("told-runs"),
                new HashMap<>());
    }

    /** Runs seeds that reach what it changes, up to the first that fails with the mutant only. */
    Look with(Mutant mutant, NamedTest simulator, long first, long count)
            throws IOException, InterruptedException {
        SortedMap<Long, Sound> without = without(simulator, first, count);
        ChangedLines changed = ChangedLines.of(mutant, workshop.root());
        List<Long> left =
                new ArrayList<>(
                        without.entrySet().stream()
                                .filter(it -> !it.getValue().told().isFinding())
                                .filter(it -> lines.isReached(changed, it.getValue().reached()))
                                .map(Map.Entry::getKey)
                                .toList());
        SortedMap<Long, Told> with =
                left.isEmpty() ? new TreeMap<>() : run(Optional.of(mutant), simulator, left);
        return Look.of(simulator, count, with, without);
    }

    /** What is told of these seeds without a mutant; each is run once. */
    private SortedMap<Long, Sound> without(NamedTest simulator, long first, long count)
            throws IOException, InterruptedException {
        SortedMap<Long, Sound> known = sound.computeIfAbsent(simulator, _ -> new TreeMap<>());
        for (long seed = first; seed < first + count; seed++) {
            if (!known.containsKey(seed)) {
                ReachedLines.taken();
                Told one =
                        Optional.ofNullable(
                                        run(Optional.empty(), simulator, List.of(seed)).get(seed))
                                .orElseGet(() -> new Told("", "did not end"));
                known.put(seed, new Sound(one, ReachedLines.taken()));
                if (one.isFinding()) {
                    System.out.printf(
                            "%s %d fails without a mutant: %s%n", simulator, seed, one.problem());
                }
            }
        }
        return known.subMap(first, first + count);
    }

    private SortedMap<Long, Told> run(
            Optional<Mutant> mutant, NamedTest simulator, List<Long> seeds)
            throws IOException, InterruptedException {
        Files.createDirectories(workshop.folder());
        Files.deleteIfExists(told);
        TestResult result =
                simulators.run(
                        mutant.map(workshop::classes),
                        new NamedTest(
                                simulator.simpleName(),
                                simulator.method().or(() -> Optional.of(METHOD))),
                        Map.of(
                                "sim.only",
                                seeds.stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(",")),
                                "sim.first-only",
                                "true",
                                "sim.told",
                                told.toString(),
                                "sim.shorter",
                                "0"));
        if (result.outcome() == Outcome.BROKEN) {
            System.out.printf(
                    "%s could not run with %s: %s%n",
                    simulator, mutant.map(Mutant::name).orElse("no mutant"), result.message());
        }
        SortedMap<Long, Told> came = new TreeMap<>();
        for (String line : Files.exists(told) ? Files.readAllLines(told) : List.<String>of()) {
            String[] parts = line.split(" ", 3);
            came.put(Long.parseLong(parts[0]), new Told(parts[1], parts[2]));
        }
        return came;
    }
}
