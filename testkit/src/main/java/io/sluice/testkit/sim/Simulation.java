// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Runs a scenario from a seed: a number of moves in an order that the dice choose, then orderly
 * rounds without faults until the world has settled.
 *
 * @param moves how many moves before faults end
 * @param rounds within how many orderly rounds the world must settle
 */
public record Simulation(int moves, int rounds, Function<Environment, Scenario> scenario) {
    /**
     * What went wrong.
     *
     * @param seed runs exactly the same again
     */
    public record Finding(long seed, int step, String problem, List<String> trace) {
        @Override
        public String toString() {
            return "seed %d, step %d: %s%n  %s"
                    .formatted(seed, step, problem, String.join("\n  ", trace));
        }
    }

    /** The first finding of the seeds from 0 on; empty if all of them keep every invariant. */
    public Optional<Finding> firstOf(long seeds) {
        return of(seeds).findFirst();
    }

    /** The first finding of as many seeds, from 0 on, as take so many steps. */
    public Optional<Finding> within(long steps) {
        return firstOf(Math.ceilDiv(steps, moves + rounds));
    }

    /**
     * The findings of the seeds from 0 on, one for each that fails. Seeds run when asked for, on
     * all processors: each has a world of its own.
     */
    public Stream<Finding> of(long seeds) {
        return LongStream.range(0, seeds).parallel().mapToObj(this::run).flatMap(Optional::stream);
    }

    /** Runs one seed. */
    public Optional<Finding> run(long seed) {
        Environment environment = Environment.of(seed);
        int step = 0;
        try {
            Scenario world = scenario.apply(environment);
            for (; step < moves; step++) {
                environment.trace().beginStep(step);
                move(world, environment);
                Optional<String> violation = world.violation();
                if (violation.isPresent()) {
                    return Optional.of(finding(seed, step, violation.get(), environment));
                }
            }
            environment.faults().end();
            return settle(world, seed, environment);
        } catch (RuntimeException | AssertionError thrown) {
            return Optional.of(finding(seed, step, "threw " + cause(thrown), environment));
        }
    }

    private Optional<Finding> settle(Scenario world, long seed, Environment environment) {
        for (int round = 0; round < rounds; round++) {
            int step = moves + round;
            environment.trace().beginStep(step);
            world.round();
            Optional<String> violation = world.violation();
            if (violation.isPresent()) {
                return Optional.of(finding(seed, step, violation.get(), environment));
            }
        }
        return world.unsettled()
                .map(why -> finding(seed, moves + rounds, "did not settle: " + why, environment));
    }

    private static void move(Scenario world, Environment environment) {
        List<Scenario.Move> lots = new ArrayList<>();
        for (Scenario.Move move : world.moves()) {
            for (int i = 0; i < move.weight(); i++) {
                lots.add(move);
            }
        }
        Scenario.Move next = environment.dice().pick(lots);
        environment.trace().add(next.name());
        next.happen().run();
    }

    private static Finding finding(long seed, int step, String problem, Environment environment) {
        return new Finding(seed, step, problem, environment.trace().lines());
    }

    private static String cause(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        return thrown + (frames.length == 0 ? "" : " at " + frames[0]);
    }
}
