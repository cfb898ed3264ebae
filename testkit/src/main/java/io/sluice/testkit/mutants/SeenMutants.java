// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plants the mutants that simulators catch, and fails unless each is caught at the seed that it
 * names.
 *
 * <p>Arguments: the root of the repository; {@code --hunt} to look for a seed of those that are
 * missed, or no longer caught at theirs, and to write it, or what their runs have shown, into their
 * files; then words, as {@link KeptMutants} takes them.
 */
record SeenMutants(Path root, Workshop workshop, SeedRuns seeds) {
    /** The first seed of a hunt, and how many each simulator takes. */
    private static final long FIRST = Long.getLong("mutants.first", 0);

    private static final long SEEDS = Long.getLong("mutants.seeds", 20);

    /** What came of one mutant. */
    record Verdict(Mutant mutant, boolean asSaid, String text) {}

    static boolean run(Path root, List<String> words) throws IOException, InterruptedException {
        boolean hunts = words.contains("--hunt");
        UnseenSources unseen = UnseenSources.of(root);
        List<Mutant> chosen = KeptMutants.chosen(root, words);
        List<Mutant> wanted =
                chosen.stream().filter(it -> isToBeRun(unseen.sight(it), hunts)).toList();
        var workshop = new Workshop(root, root.resolve("target/mutants"));
        var seen = new SeenMutants(root, workshop, SeedRuns.in(workshop, wanted));
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
            Sight.Caught at = place.get();
            Look look = seeds.with(mutant, at.simulator(), at.seed(), 1);
            if (look.found().isPresent()) {
                return caught(mutant, at, look.found().get());
            }
        }
        return hunts ? hunt(mutant) : new Verdict(mutant, false, "look for a seed with --hunt");
    }

    private Verdict hunt(Mutant mutant) throws IOException, InterruptedException {
        List<Look> looks = new ArrayList<>();
        for (Simulator simulator : Simulator.of(mutant)) {
            Look look = seeds.with(mutant, simulator.test(), FIRST, SEEDS);
            if (look.found().isPresent()) {
                Look.Seed found = look.found().get();
                var place = new Sight.Caught(simulator.test(), found.number());
                write(mutant, place);
                return caught(mutant, place, found);
            }
            looks.add(look);
        }
        if (looks.isEmpty()) {
            return new Verdict(mutant, false, "none of the simulators runs it");
        }
        Sight.Missed shown = Look.shown(looks);
        if (mutant.sight().filter(Sight::isArgued).isEmpty()) {
            write(mutant, shown);
        }
        return new Verdict(mutant, false, shown.lack());
    }

    private void write(Mutant mutant, Sight sight) throws IOException {
        Path file = mutant.file(root);
        Files.writeString(file, Mutant.withSight(NamedTest.textOf(file), sight));
    }

    private static Verdict caught(Mutant mutant, Sight.Caught place, Look.Seed found) {
        return new Verdict(mutant, true, place.line() + ": " + found.problem());
    }
}
