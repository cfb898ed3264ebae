// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import static org.apache.flink.autoscaler.topology.ShipStrategy.HASH;
import static org.apache.flink.autoscaler.topology.ShipStrategy.REBALANCE;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.autoscaler.topology.ShipStrategy;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/** A job as it is being drawn. */
final class JobDraft {
    private final Trait trait;
    private final Random random;
    private final List<Node> nodes = new ArrayList<>();

    JobDraft(Trait trait, Random random) {
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
                    case PLAIN, NON_LINEAR, NOISY, CONTENDED -> false;
                };
        return new Node.Input(node, keyed ? ship : REBALANCE, ratio);
    }

    void source(double share, double rate) {
        List<Double> weights =
                trait == Trait.PRIME_PARTITIONS
                        ? even(List.of(31, 47, 61).get(random.nextInt(3)))
                        : List.of();
        double slower = trait == Trait.PRIME_PARTITIONS ? 0.3 : 1;
        add(List.of(), share, rate * slower, weights, false);
    }

    /** More subtasks than partitions have nothing to read. */
    void sourceOfFewPartitions(double rate, int partitions) {
        add(List.of(), 1, rate, even(partitions), false);
    }

    /** One key has {@code share} of all records. */
    void vertexWithHotKey(double rate, double share, Node.Input input) {
        List<Double> weights = new ArrayList<>(even(Node.MAX_PARALLELISM));
        weights.set(0, share / (1 - share) * (Node.MAX_PARALLELISM - 1));
        add(List.of(new Node.Input(input.from(), HASH, input.ratio())), 0, rate, weights, false);
    }

    void vertex(double rate, Node.Input... inputs) {
        boolean keyed = inputs[0].ship() == HASH;
        List<Double> weights =
                switch (trait) {
                    case SKEW -> keyed ? uneven() : List.of();
                    case KEY_GROUPS, PRIME_PARTITIONS ->
                            keyed ? even(Node.MAX_PARALLELISM) : List.of();
                    case PLAIN, NON_LINEAR, NOISY, CONTENDED -> List.of();
                };
        add(List.of(inputs), 0, rate, weights, false);
    }

    void byTimers(Node.Input input) {
        add(List.of(input), 0, 1000, List.of(), true);
    }

    /** All its subtasks together can do as much as one. */
    void slowSink(double rate, Node.Input input) {
        limitedSink(rate, Scaling.NONE, input);
    }

    void limitedSink(double rate, Scaling scaling, Node.Input input) {
        nodes.add(
                new Node(
                        new JobVertexID(1, nodes.size() + 1),
                        "sink " + nodes.size(),
                        List.of(input),
                        0,
                        rate,
                        scaling,
                        List.of(),
                        false));
    }

    private void add(
            List<Node.Input> inputs,
            double share,
            double rate,
            List<Double> weights,
            boolean byTimers) {
        int number = nodes.size();
        nodes.add(
                new Node(
                        new JobVertexID(1, number + 1),
                        (inputs.isEmpty() ? "source " : "vertex ") + number,
                        inputs,
                        share,
                        rate * (0.9 + 0.2 * random.nextDouble()),
                        scaling(),
                        weights,
                        byTimers));
    }

    private Scaling scaling() {
        return switch (trait) {
            case NON_LINEAR -> new Scaling.Power(0.85);
            case CONTENDED -> new Scaling.Contended(0.01, 0.0002);
            case PLAIN, KEY_GROUPS, PRIME_PARTITIONS, SKEW, NOISY -> Scaling.PERFECT;
        };
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
