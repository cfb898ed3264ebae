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
        OUTAGE
    }

    private Cases() {}

    /** 60 of them: ten traces by six traits, with the four shapes in turns. */
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
        double rate = 8_000 + random.nextInt(6_000);
        Job job = job(shape, trait, random);
        boolean inPlace = number % 2 == 0;
        double restart = inPlace ? 3 : 90;
        double noise = trait == Trait.NOISY ? 0.15 : 0.03;
        String name =
                (trace + " " + trait + " " + shape + (inPlace ? " in place" : " by upgrade"))
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
        double high = 3 * rate;
        List<Integer> fitting = scaled(job.least(rate, Job.FITTING), 1);
        List<Integer> fittingHigh = scaled(job.least(high, Job.FITTING), 1);
        return switch (trace) {
            case TOO_SMALL ->
                    new Case(
                            name,
                            job,
                            Load.steady(rate),
                            9,
                            0,
                            scaled(job.least(rate, Job.FITTING), 0.25),
                            restart,
                            inPlace,
                            noise,
                            number);
            case TOO_LARGE ->
                    new Case(
                            name,
                            job,
                            Load.steady(rate),
                            9,
                            0,
                            scaled(job.least(rate, Job.FITTING), 4),
                            restart,
                            inPlace,
                            noise,
                            number);
            case FITTING ->
                    new Case(
                            name,
                            job,
                            Load.steady(rate),
                            24,
                            0,
                            fitting,
                            restart,
                            inPlace,
                            noise,
                            number);
            case STEP_UP ->
                    new Case(
                            name,
                            job,
                            Load.step(rate, high, 2 * Load.HOUR),
                            11,
                            2,
                            fitting,
                            restart,
                            inPlace,
                            noise,
                            number);
            case STEP_DOWN ->
                    new Case(
                            name,
                            job,
                            Load.step(high, rate, 2 * Load.HOUR),
                            11,
                            2,
                            fittingHigh,
                            restart,
                            inPlace,
                            noise,
                            number);
            case RAMP_UP ->
                    new Case(
                            name,
                            job,
                            Load.ramp(rate, high, Load.HOUR, 5 * Load.HOUR),
                            14,
                            5,
                            fitting,
                            restart,
                            inPlace,
                            noise,
                            number);
            case RAMP_DOWN ->
                    new Case(
                            name,
                            job,
                            Load.ramp(high, rate, Load.HOUR, 5 * Load.HOUR),
                            14,
                            5,
                            fittingHigh,
                            restart,
                            inPlace,
                            noise,
                            number);
            case DAY ->
                    new Case(
                            name,
                            job,
                            Load.day(rate, high),
                            48,
                            -1,
                            fitting,
                            restart,
                            inPlace,
                            noise,
                            number);
            case SPIKES ->
                    new Case(
                            name,
                            job,
                            Load.spikes(rate, 2 * rate, 4 + random.nextInt(6)),
                            12,
                            -1,
                            fitting,
                            restart,
                            inPlace,
                            noise,
                            number);
            case OUTAGE ->
                    new Case(
                            name,
                            job,
                            Load.outage(rate, 2 * Load.HOUR, 3 * Load.HOUR, 60),
                            12,
                            3.1,
                            fitting,
                            restart,
                            inPlace,
                            noise,
                            number);
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
