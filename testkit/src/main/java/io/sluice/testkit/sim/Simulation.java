// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Runs a scenario from a seed: a number of moves in an order that the dice choose, then orderly
 * rounds without faults until the world has settled.
 *
 * @param moves how many moves before faults end
 * @param rounds within how many orderly rounds the world must settle
 */
public record Simulation(int moves, int rounds, Function<Environment, Scenario> scenario) {
    private static final int MOST = 10;

    /** So many seeds are begun at most that come after one that fails. */
    private static final int BATCH = 16;

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

    /**
     * What came of a number of seeds.
     *
     * @param steps how many were taken by all of them, moves and rounds
     * @param findings the first few; empty if every invariant was kept
     */
    public record Ran(long steps, List<Finding> findings) {}

    /**
     * The first finding of the seeds from 0 on; empty if all of them keep every invariant. One
     * batch after the other: processors that share all seeds begin with some that are far away.
     */
    public Optional<Finding> firstOf(long seeds) {
        return LongStream.iterate(0, first -> first < seeds, first -> first + BATCH)
                .mapToObj(first -> LongStream.range(first, Math.min(seeds, first + BATCH)))
                .map(batch -> of(batch, new LongAdder()).findFirst())
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Runs as many seeds, from {@code first} on, as take so many steps. */
    public Ran within(long first, long steps) {
        return ran(LongStream.range(first, first + Math.ceilDiv(steps, moves + rounds)));
    }

    /** Runs the seeds that system properties name. */
    public Ran within(SeedsToRun seeds) {
        return ran(seeds.seeds(moves + rounds));
    }

    /**
     * Runs the seeds, unless there is more to be found than anybody would look into at once. With
     * {@code -Dsim.first-only=true} it takes them in their order on one processor, and ends with
     * the first finding.
     */
    private Ran ran(LongStream seeds) {
        LongAdder taken = new LongAdder();
        Stream<Finding> all =
                seeds.parallel().mapToObj(seed -> told(seed, taken)).flatMap(Optional::stream);
        List<Finding> found =
                Boolean.getBoolean("sim.first-only")
                        ? all.sequential().limit(1).toList()
                        : all.limit(MOST).toList();
        return new Ran(taken.sum(), found);
    }

    private Optional<Finding> told(long seed, LongAdder taken) {
        Environment environment = Environment.of(seed);
        Optional<Finding> found = run(seed, environment, taken);
        ToldRuns.tell(environment, found);
        return found;
    }

    /**
     * The findings of the seeds from 0 on, one for each that fails. Seeds run when asked for, on
     * all processors: each has a world of its own.
     */
    public Stream<Finding> of(long seeds) {
        return of(LongStream.range(0, seeds), new LongAdder());
    }

    private Stream<Finding> of(LongStream seeds, LongAdder taken) {
        return seeds.parallel().mapToObj(seed -> run(seed, taken)).flatMap(Optional::stream);
    }

    /** Runs one seed. */
    public Optional<Finding> run(long seed) {
        return run(seed, new LongAdder());
    }

    /**
     * A checksum of all that happens in the seeds from {@code first} to before {@code end}: two
     * programs with the same checksum have decided the same. Of what is found, only that something
     * was is counted: its text shows the simulated world, down to the names of its types.
     */
    public String digest(long first, long end) {
        CRC32C all = new CRC32C();
        LongStream.range(first, end)
                .parallel()
                .mapToObj(this::digest)
                .toList()
                .forEach(digest -> all.update(digest.getBytes(StandardCharsets.UTF_8)));
        return Long.toHexString(all.getValue());
    }

    private String digest(long seed) {
        Environment environment = Environment.of(seed);
        String found = run(seed, environment, new LongAdder()).isPresent() ? "found" : "";
        return "%d %x %s%n".formatted(seed, environment.trace().digest(), found);
    }

    private Optional<Finding> run(long seed, LongAdder taken) {
        return run(seed, Environment.of(seed), taken);
    }

    private Optional<Finding> run(long seed, Environment environment, LongAdder taken) {
        int step = 0;
        try {
            Scenario world = scenario.apply(environment);
            for (; step < moves; step++) {
                environment.trace().beginStep(step);
                taken.increment();
                world.besides();
                Scenario.Move.any(world.moves(), environment);
                Optional<String> violation = world.violation();
                if (violation.isPresent()) {
                    return Optional.of(finding(seed, step, violation.get(), environment));
                }
            }
            environment.faults().end();
            return settle(world, seed, environment, taken);
        } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
            return Optional.of(finding(seed, step, "threw " + cause(thrown), environment));
        }
    }

    private Optional<Finding> settle(
            Scenario world, long seed, Environment environment, LongAdder taken) {
        for (int round = 0; round < rounds; round++) {
            int step = moves + round;
            environment.trace().beginStep(step);
            taken.increment();
            world.round();
            Optional<String> violation = world.violation();
            if (violation.isPresent()) {
                return Optional.of(finding(seed, step, violation.get(), environment));
            }
        }
        return world.unsettled()
                .map(why -> finding(seed, moves + rounds, "did not settle: " + why, environment));
    }

    private static Finding finding(long seed, int step, String problem, Environment environment) {
        return new Finding(seed, step, problem, environment.trace().lines());
    }

    private static String cause(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        return thrown + (frames.length == 0 ? "" : " at " + frames[0]);
    }
}
