// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.NamedTestRun.Outcome;
import io.sluice.testkit.mutants.NamedTestRun.TestResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plants the mutants that simulators catch, and fails unless each is caught at the seed that it
 * names.
 *
 * <p>Arguments: the root of the repository; {@code --hunt} to look for a seed of those that are
 * missed, or no longer caught at theirs, and to write it into their files; then words, as {@link
 * KeptMutants} takes them.
 *
 * @param sound whether a simulator keeps its promises at a seed without a mutant
 */
record SeenMutants(
        Path root, Workshop workshop, SimulatorRuns simulators, Map<Sight.Caught, Boolean> sound) {
    private static final String METHOD = "keepsItsPromisesWhateverHappens";

    /** How many steps one simulator takes in a hunt. */
    private static final long STEPS = Long.getLong("mutants.steps", 10_000);

    /** A seed is run to its end once it has begun. */
    private static final long ONE_SEED = 1;

    /** So many seeds that fail without a mutant are passed over in one hunt. */
    private static final int MOST_UNSOUND = 3;

    private static final Pattern FOUND =
            Pattern.compile("seed (\\d{1,18}), step \\d+: ([^(]{1,160})");

    /** What came of one mutant. */
    record Verdict(Mutant mutant, boolean asSaid, String text) {}

    static boolean run(Path root, List<String> words) throws IOException, InterruptedException {
        boolean hunts = words.contains("--hunt");
        UnseenSources unseen = UnseenSources.of(root);
        List<Mutant> chosen = KeptMutants.chosen(root, words);
        List<Mutant> wanted =
                chosen.stream().filter(it -> isToBeRun(unseen.sight(it), hunts)).toList();
        var workshop = new Workshop(root, root.resolve("target/mutants"));
        var seen = new SeenMutants(root, workshop, workshop.simulators(), new HashMap<>());
        List<Verdict> verdicts = new ArrayList<>();
        for (Mutant mutant : wanted) {
            verdicts.add(told(seen.verdict(mutant, hunts)));
        }
        long failed = verdicts.stream().filter(it -> !it.asSaid()).count();
        System.out.printf(
                "%n%d passed, %d failed, %d not run%n",
                wanted.size() - failed, failed, chosen.size() - wanted.size());
        return failed == 0;
    }

    private static boolean isToBeRun(Optional<Sight> sight, boolean hunts) {
        return switch (sight.orElseGet(() -> new Sight.Missed(""))) {
            case Sight.Caught _ -> true;
            case Sight.Unseen _ -> false;
            case Sight.Missed _ -> hunts;
        };
    }

    private static Verdict told(Verdict verdict) {
        System.out.printf(
                "%s  %s%n        %s%n",
                verdict.asSaid() ? "caught" : "MISSED", verdict.mutant().name(), verdict.text());
        return verdict;
    }

    private Verdict verdict(Mutant mutant, boolean hunts) throws IOException, InterruptedException {
        Optional<String> broken = mutant.rot(root);
        if (broken.isEmpty()) {
            broken = workshop.plant(mutant);
        }
        if (broken.isPresent()) {
            return new Verdict(mutant, false, broken.get());
        }
        Optional<Sight.Caught> place = mutant.sight().flatMap(Sight::caught);
        if (place.isPresent()) {
            Optional<Found> found =
                    find(
                            Optional.of(mutant),
                            place.get().simulator(),
                            place.get().seed(),
                            ONE_SEED);
            if (found.isPresent() && isSound(place.get())) {
                return new Verdict(mutant, true, place.get().line() + ": " + found.get().problem());
            }
        }
        return hunts ? hunt(mutant) : new Verdict(mutant, false, "look for a seed with --hunt");
    }

    /** Whether nothing is found at the seed without a mutant. */
    private boolean isSound(Sight.Caught place) throws IOException, InterruptedException {
        Boolean known = sound.get(place);
        boolean isSound =
                known == null
                        ? find(Optional.empty(), place.simulator(), place.seed(), ONE_SEED)
                                .isEmpty()
                        : known;
        sound.put(place, isSound);
        return isSound;
    }

    private Verdict hunt(Mutant mutant) throws IOException, InterruptedException {
        List<String> without = new ArrayList<>();
        for (Simulator simulator : Simulator.of(mutant)) {
            Optional<Found> found = find(Optional.of(mutant), simulator.test(), 0, STEPS);
            for (int unsound = 0; found.isPresent() && unsound < MOST_UNSOUND; unsound++) {
                var place = new Sight.Caught(simulator.test(), found.get().seed());
                if (isSound(place)) {
                    Path file = mutant.file(root);
                    Files.writeString(file, Mutant.withSight(NamedTest.textOf(file), place));
                    return new Verdict(mutant, true, place.line() + ": " + found.get().problem());
                }
                found = find(Optional.of(mutant), simulator.test(), place.seed() + 1, STEPS);
            }
            without.add(simulator.test().toString());
        }
        return new Verdict(mutant, false, "not found by " + String.join(", ", without));
    }

    private record Found(long seed, String problem) {}

    private Optional<Found> find(
            Optional<Mutant> mutant, NamedTest simulator, long first, long steps)
            throws IOException, InterruptedException {
        TestResult result =
                simulators.run(
                        mutant.map(workshop::classes),
                        new NamedTest(simulator.simpleName(), Optional.of(METHOD)),
                        Map.of(
                                "sim.first",
                                String.valueOf(first),
                                "sim.steps",
                                String.valueOf(steps),
                                "sim.first-only",
                                "true",
                                "sim.shorter",
                                "0"));
        Matcher found = FOUND.matcher(result.message());
        if (result.outcome() == Outcome.FAILED && found.find()) {
            return Optional.of(new Found(Long.parseLong(found.group(1)), found.group(2)));
        }
        if (result.outcome() != Outcome.PASSED) {
            System.out.printf(
                    "%s could not run with %s: %s%n",
                    simulator, mutant.map(Mutant::name).orElse("no mutant"), result.message());
        }
        return Optional.empty();
    }
}
