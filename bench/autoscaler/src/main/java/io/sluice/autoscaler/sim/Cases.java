// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import static org.apache.flink.autoscaler.topology.ShipStrategy.HASH;
import static org.apache.flink.autoscaler.topology.ShipStrategy.REBALANCE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.flink.autoscaler.topology.ShipStrategy;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/** Every trace with jobs of every kind, all from one seed. */
final class Cases {
    private static final long SEED = 20_261_121;

    /**
     * With these the bare engine rescales a job ten times a day; its users report more than twenty
     * (FLINK-36018).
     */
    private static final double SWING = 0.4;

    private static final double SWING_MEMORY = 1200;
    private static final List<Shape> SHAPES = List.of(Shape.values());
    private static final List<Trait> TRAITS = List.of(Trait.values());

    private enum Shape {
        PIPELINE,
        LONG_PIPELINE,
        DIAMOND,
        TWO_SOURCES
    }

    private enum Trait {
        PLAIN,
        KEY_GROUPS,
        PRIME_PARTITIONS,
        SKEW,
        NON_LINEAR,
        NOISY
    }

    private enum Trace {
        TOO_SMALL,
        TOO_LARGE,
        FITTING,
        STEP_UP,
        STEP_DOWN,
        RAMP_UP,
        RAMP_DOWN,
        DAY,
        SPIKES,
        OUTAGE,
        WANDERING
    }

    private Cases() {}

    /** 66 of them: eleven traces by six traits, with the four shapes in turns. */
    static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        for (Trace trace : Trace.values()) {
            for (Trait trait : TRAITS) {
                int number = cases.size();
                cases.add(of(trace, trait, SHAPES.get(number % SHAPES.size()), number));
            }
        }
        return List.copyOf(cases);
    }

    private static Case of(Trace trace, Trait trait, Shape shape, int number) {
        Random random = new Random(SEED + number);
        double rate = 2_000 + random.nextInt(3_000);
        Job job = job(shape, trait, random);
        boolean inPlace = number % 2 == 0;
        double restart = inPlace ? 3 : 90;
        double noise = trait == Trait.NOISY ? 0.15 : 0.03;
        String name =
                (trace + " " + trait + " " + shape + (inPlace ? " in place" : " by upgrade"))
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
        Course course = course(trace, rate, random);
        return new Case(
                name,
                job,
                course.load(),
                course.hours(),
                course.settled(),
                scaled(job.least(course.start(), Job.FITTING), course.size()),
                restart,
                inPlace,
                noise,
                number);
    }

    /**
     * What a trace does.
     *
     * @param settled see {@link Case}
     * @param start the load that the job is sized for at first
     * @param size by which factor it is sized wrong
     */
    private record Course(Load load, double hours, double settled, double start, double size) {
        /** Of a job that fits at first. */
        Course(Load load, double hours, double settled, double start) {
            this(load, hours, settled, start, 1);
        }
    }

    private static Course course(Trace trace, double rate, Random random) {
        double high = 3 * rate;
        double hour = Load.HOUR;
        return switch (trace) {
            case TOO_SMALL -> new Course(Load.steady(rate), 9, 0, rate, 0.25);
            case TOO_LARGE -> new Course(Load.steady(rate), 9, 0, rate, 4);
            case FITTING -> new Course(Load.steady(rate), 24, 0, rate);
            case STEP_UP -> new Course(Load.step(rate, high, 2 * hour), 11, 2, rate);
            case STEP_DOWN -> new Course(Load.step(high, rate, 2 * hour), 11, 2, high);
            case RAMP_UP -> new Course(Load.ramp(rate, high, hour, 5 * hour), 14, 5, rate);
            case RAMP_DOWN -> new Course(Load.ramp(high, rate, hour, 5 * hour), 14, 5, high);
            case DAY -> new Course(Load.day(rate, high), 48, -1, rate);
            case SPIKES ->
                    new Course(Load.spikes(rate, 2 * rate, 4 + random.nextInt(6)), 12, -1, rate);
            case OUTAGE -> new Course(Load.outage(rate, 2 * hour, 3 * hour, 60), 12, 3.1, rate);
            case WANDERING ->
                    new Course(Load.wandering(rate, SWING, SWING_MEMORY, 48, random), 48, -1, rate);
        };
    }

    private static List<Integer> scaled(int[] parallelisms, double factor) {
        return Arrays.stream(parallelisms)
                .map(each -> Math.clamp((long) Math.ceil(each * factor), 1, Node.MAX_PARALLELISM))
                .boxed()
                .toList();
    }

    private static Job job(Shape shape, Trait trait, Random random) {
        Draft draft = new Draft(trait, random);
        switch (shape) {
            case PIPELINE -> {
                draft.source(1, 3000);
                draft.vertex(1000, draft.from(0, HASH, 1));
                draft.vertex(2000, draft.from(1, REBALANCE, 0.5));
            }
            case LONG_PIPELINE -> {
                draft.source(1, 2500);
                for (int i = 0; i < 4; i++) {
                    draft.vertex(
                            900 + 500.0 * i, draft.from(i, i % 2 == 0 ? HASH : REBALANCE, 0.9));
                }
            }
            case DIAMOND -> {
                draft.source(1, 3000);
                draft.vertex(800, draft.from(0, HASH, 0.6));
                draft.vertex(1200, draft.from(0, REBALANCE, 0.4));
                draft.vertex(1500, draft.from(1, HASH, 1), draft.from(2, HASH, 1));
            }
            case TWO_SOURCES -> {
                draft.source(0.7, 2000);
                draft.source(0.3, 1000);
                draft.vertex(900, draft.from(0, HASH, 1), draft.from(1, HASH, 1));
                draft.vertex(2500, draft.from(2, REBALANCE, 1));
            }
        }
        return draft.job();
    }

    /** A job as it is being drawn. */
    private static final class Draft {
        private final Trait trait;
        private final Random random;
        private final List<Node> nodes = new ArrayList<>();

        Draft(Trait trait, Random random) {
            this.trait = trait;
            this.random = random;
        }

        Job job() {
            return new Job(nodes);
        }

        Node.Input from(int node, ShipStrategy ship, double ratio) {
            boolean keyed =
                    switch (trait) {
                        case KEY_GROUPS, PRIME_PARTITIONS, SKEW -> true;
                        case PLAIN, NON_LINEAR, NOISY -> false;
                    };
            return new Node.Input(node, keyed ? ship : REBALANCE, ratio);
        }

        void source(double share, double rate) {
            List<Double> weights =
                    trait == Trait.PRIME_PARTITIONS
                            ? even(List.of(31, 47, 61).get(random.nextInt(3)))
                            : List.of();
            double slower = trait == Trait.PRIME_PARTITIONS ? 0.3 : 1;
            add(List.of(), share, rate * slower, weights);
        }

        void vertex(double rate, Node.Input... inputs) {
            boolean keyed = inputs[0].ship() == HASH;
            List<Double> weights =
                    switch (trait) {
                        case SKEW -> keyed ? uneven() : List.of();
                        case KEY_GROUPS, PRIME_PARTITIONS ->
                                keyed ? even(Node.MAX_PARALLELISM) : List.of();
                        case PLAIN, NON_LINEAR, NOISY -> List.of();
                    };
            add(List.of(inputs), 0, rate, weights);
        }

        private void add(List<Node.Input> inputs, double share, double rate, List<Double> weights) {
            int number = nodes.size();
            nodes.add(
                    new Node(
                            new JobVertexID(1, number + 1),
                            (inputs.isEmpty() ? "source " : "vertex ") + number,
                            inputs,
                            share,
                            rate * (0.9 + 0.2 * random.nextDouble()),
                            trait == Trait.NON_LINEAR ? 0.85 : 1,
                            weights));
        }

        private static List<Double> even(int groups) {
            List<Double> weights = new ArrayList<>();
            for (int i = 0; i < groups; i++) {
                weights.add(1.0);
            }
            return weights;
        }

        private List<Double> uneven() {
            List<Double> weights = new ArrayList<>();
            for (int i = 0; i < Node.MAX_PARALLELISM; i++) {
                weights.add(Math.exp(0.35 * random.nextGaussian()));
            }
            return weights;
        }
    }
}
