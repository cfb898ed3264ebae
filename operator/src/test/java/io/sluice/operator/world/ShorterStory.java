// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.Scenario;
import io.sluice.testkit.sim.Simulation;
import io.sluice.testkit.sim.Simulation.Finding;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/**
 * Finds out which disturbances a finding needs: the same seed is run again and again without some
 * of them, and what fails in the same way is the shorter story.
 */
public final class ShorterStory {
    private static final int MOST_RUNS = Integer.getInteger("sim.shorter", 250);

    private final BiFunction<Environment, Disturbances, Scenario> scenario;
    private int runs;

    /**
     * @param scenario what found it
     */
    public ShorterStory(BiFunction<Environment, Disturbances, Scenario> scenario) {
        this.scenario = scenario;
    }

    /** The shortest stories of findings in worlds of one kind. */
    public static List<Finding> ofEach(
            List<Finding> findings, BiFunction<Environment, Disturbances, Scenario> scenario) {
        return findings.stream().map(found -> new ShorterStory(scenario).of(found)).toList();
    }

    private record Attempt(Optional<Finding> finding, int disturbances) {}

    public Finding of(Finding found) {
        Finding shortest = found;
        Set<Integer> left = new TreeSet<>();
        int all = run(found.seed(), left).disturbances();
        for (int size = Math.max(1, all / 2); size >= 1 && runs < MOST_RUNS; size /= 2) {
            for (int from = all; from > 0 && runs < MOST_RUNS; from -= size) {
                Set<Integer> fewer = new TreeSet<>(left);
                for (int number = Math.max(0, from - size); number < from; number++) {
                    fewer.add(number);
                }
                Optional<Finding> again =
                        run(found.seed(), fewer)
                                .finding()
                                .filter(it -> kind(it).equals(kind(found)));
                if (fewer.size() > left.size() && again.isPresent()) {
                    left = fewer;
                    shortest = again.get();
                }
            }
        }
        return new Finding(
                found.seed(),
                shortest.step(),
                shortest.problem() + " (disturbances that it does without: " + left.size() + ")",
                shortest.trace());
    }

    /** The first words, as the rest has names and positions. */
    private static String kind(Finding finding) {
        return finding.problem().substring(0, Math.min(20, finding.problem().length()));
    }

    private Attempt run(long seed, Set<Integer> left) {
        runs++;
        AtomicReference<Optional<Disturbances>> used = new AtomicReference<>(Optional.empty());
        Optional<Finding> finding =
                new Simulation(300, 160, environment -> scenario(environment, left, used))
                        .run(seed);
        return new Attempt(finding, used.get().map(Disturbances::count).orElse(0));
    }

    private Scenario scenario(
            Environment environment,
            Set<Integer> left,
            AtomicReference<Optional<Disturbances>> used) {
        var disturbances = new Disturbances(environment, left);
        used.set(Optional.of(disturbances));
        return scenario.apply(environment, disturbances);
    }
}
