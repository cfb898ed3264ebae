// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import io.sluice.testkit.mutants.NamedTestRun.Outcome;
import io.sluice.testkit.mutants.NamedTestRun.TestResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Plants the mutants that are kept below {@code mutants/}, and fails unless the test that each one
 * names passes without it and fails with it.
 *
 * <p>Arguments: the root of the repository, then words; with words only mutants whose name contains
 * one of them are planted. With {@code --simulator} simulators have to catch them: {@link
 * SeenMutants}.
 */
public record KeptMutants(Path root, Workshop workshop) {
    private static final int AT_ONCE = Integer.getInteger("mutants.at-once", 2);

    /** What came of one mutant. */
    record Verdict(Mutant mutant, boolean caught, String text) {
        static Verdict of(Mutant mutant, TestResult without, TestResult with) {
            if (without.outcome() != Outcome.PASSED) {
                return new Verdict(
                        mutant, false, mutant.test() + " fails without it: " + without.message());
            }
            return switch (with.outcome()) {
                case FAILED -> new Verdict(mutant, true, mutant.test() + ": " + with.message());
                case PASSED -> new Verdict(mutant, false, "survives " + mutant.test());
                case BROKEN ->
                        new Verdict(
                                mutant, false, mutant.test() + " could not run: " + with.message());
            };
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path root = Path.of(args[0]).toAbsolutePath();
        List<String> words = List.of(args).subList(1, args.length);
        if (words.contains("--simulator")) {
            Runtime.getRuntime().exit(SeenMutants.run(root, words) ? 0 : 1);
        }
        List<Mutant> wanted = chosen(root, words);
        var kept = new KeptMutants(root, new Workshop(root, root.resolve("target/mutants")));
        long failed = kept.run(wanted).stream().filter(verdict -> !verdict.caught()).count();
        System.out.printf("%n%d passed, %d failed%n", wanted.size() - failed, failed);
        Runtime.getRuntime().exit(failed == 0 && !wanted.isEmpty() ? 0 : 1);
    }

    /** Those whose name contains one of the words; all if there is none beside options. */
    static List<Mutant> chosen(Path root, List<String> arguments) {
        List<String> words = arguments.stream().filter(it -> !it.startsWith("--")).toList();
        return Mutant.all(root).stream()
                .filter(it -> words.isEmpty() || words.stream().anyMatch(it.name()::contains))
                .toList();
    }

    List<Verdict> run(List<Mutant> mutants) throws InterruptedException {
        List<Verdict> verdicts = new ArrayList<>();
        List<Mutant> sound = new ArrayList<>();
        for (Mutant mutant : mutants) {
            Optional<String> rot = mutant.rot(root);
            rot.ifPresent(why -> verdicts.add(told(new Verdict(mutant, false, why))));
            if (rot.isEmpty()) {
                sound.add(mutant);
            }
        }
        Map<Path, Map<NamedTest, TestResult>> without = withoutThem(sound);
        verdicts.addAll(
                atOnce(
                        sound.stream()
                                .<Callable<Verdict>>map(it -> () -> told(verdict(it, without)))
                                .toList()));
        return verdicts;
    }

    private Verdict verdict(Mutant mutant, Map<Path, Map<NamedTest, TestResult>> without)
            throws IOException, InterruptedException {
        TestResult before =
                Workshop.told(without.getOrDefault(mutant.module(), Map.of()), mutant.test());
        return Verdict.of(
                mutant,
                before,
                before.outcome() == Outcome.PASSED ? workshop.plantAndRun(mutant) : before);
    }

    /** Each named test once, those of a module in one process. */
    private Map<Path, Map<NamedTest, TestResult>> withoutThem(List<Mutant> mutants)
            throws InterruptedException {
        List<Callable<Map.Entry<Path, Map<NamedTest, TestResult>>>> runs = new ArrayList<>();
        for (Path module : mutants.stream().map(Mutant::module).distinct().toList()) {
            Set<NamedTest> tests =
                    mutants.stream()
                            .filter(it -> it.module().equals(module))
                            .map(Mutant::test)
                            .collect(Collectors.toSet());
            System.out.printf("%s: %d tests run without a mutant%n", module, tests.size());
            runs.add(() -> Map.entry(module, workshop.run(module, Optional.empty(), tests)));
        }
        return atOnce(runs).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static synchronized Verdict told(Verdict verdict) {
        String text = verdict.text();
        System.out.printf(
                "%s  %s%n        %s%n",
                verdict.caught() ? "caught" : "FAILED",
                verdict.mutant().name(),
                text.length() > 240 ? text.substring(0, 240) + " ..." : text);
        if (!verdict.caught()) {
            System.out.printf("        %s%n", verdict.mutant().why());
        }
        return verdict;
    }

    static <T> List<T> atOnce(List<Callable<T>> tasks) throws InterruptedException {
        List<T> results = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
        } catch (ExecutionException fault) {
            throw new IllegalStateException(fault);
        }
        return results;
    }
}
