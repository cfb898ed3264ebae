// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.autoscaler.topology.ShipStrategy;
import org.apache.flink.runtime.jobgraph.JobVertexID;

/**
 * The truth about one vertex.
 *
 * @param inputs empty for a source
 * @param share of the job's load that a source takes in; 0 for others
 * @param rate records a second that one subtask alone can do
 * @param scaling how much of it is left beside others
 * @param weights how the records fall to partitions or key groups; empty: to subtasks alike
 * @param byTimers whether it is busy with its timers, without a record that comes in
 */
record Node(
        JobVertexID id,
        String name,
        List<Input> inputs,
        double share,
        double rate,
        Scaling scaling,
        List<Double> weights,
        boolean byTimers) {
    static final int MAX_PARALLELISM = 128;

    /**
     * @param ratio records that come over this edge for each that comes into its origin
     */
    record Input(int from, ShipStrategy ship, double ratio) {}

    Node {
        inputs = List.copyOf(inputs);
        weights = List.copyOf(weights);
    }

    boolean isSource() {
        return inputs.isEmpty();
    }

    /** Above which more subtasks would be idle, or can't be. */
    int most() {
        return weights.isEmpty() ? MAX_PARALLELISM : Math.min(MAX_PARALLELISM, weights.size());
    }

    /** The share of the records that the fullest of the subtasks gets. */
    double hottest(int parallelism) {
        if (weights.isEmpty()) {
            return 1.0 / parallelism;
        }
        double[] subtasks = new double[parallelism];
        double sum = 0;
        for (int group = 0; group < weights.size(); group++) {
            int subtask = isSource() ? group % parallelism : group * parallelism / weights.size();
            subtasks[subtask] += weights.get(group);
            sum += weights.get(group);
        }
        double most = 0;
        for (double each : subtasks) {
            most = Math.max(most, each);
        }
        return most / sum;
    }

    /** What one of so many subtasks can do. */
    double rateOfOne(int parallelism) {
        return rate * scaling.share(parallelism);
    }

    /** How busy the fullest subtask is, 1 for always. */
    double load(double in, int parallelism) {
        return in * hottest(parallelism) / rateOfOne(parallelism);
    }

    /** The least parallelism with which the mean and the fullest subtask are not too busy. */
    int least(double in, double mean, double fullest) {
        int most = helpful();
        for (int parallelism = 1; parallelism < most; parallelism++) {
            if (in / parallelism / rateOfOne(parallelism) <= mean
                    && load(in, parallelism) <= fullest) {
                return parallelism;
            }
        }
        return most;
    }

    /**
     * The next parallelism above. Where groups weigh differently, which no metric tells, the next
     * at which the fullest subtask has fewer of them: what lies between can't be told to be better.
     */
    int next(int parallelism) {
        boolean alike = weights.stream().distinct().count() <= 1;
        int each = alike ? 1 : Math.ceilDiv(weights.size(), parallelism);
        return each == 1 ? parallelism + 1 : Math.ceilDiv(weights.size(), each - 1);
    }

    /** Whether some parallelism would do for what comes in. */
    boolean canDo(double in) {
        return in * best() <= 1;
    }

    /** Seconds of the fullest subtask for each record of the vertex, with the best parallelism. */
    private double best() {
        return IntStream.rangeClosed(1, most())
                .mapToDouble(each -> hottest(each) / rateOfOne(each))
                .min()
                .orElseThrow();
    }

    /** Above which the fullest subtask has no less to do, or hardly. */
    private int helpful() {
        double best = best();
        for (int parallelism = 1; parallelism < most(); parallelism++) {
            if (hottest(parallelism) / rateOfOne(parallelism) <= best * 1.02) {
                return parallelism;
            }
        }
        return most();
    }
}
