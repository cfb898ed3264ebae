// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The truth about a job: its vertices, upstream ones first. */
record Job(List<Node> nodes) {
    /** In a job that fits subtasks are busy for this share of their time, the default target. */
    static final double FITTING = 0.7;

    /** The fullest subtask may be busier than the others by this factor. */
    private static final double UNEVEN = 1.06;

    Job {
        nodes = List.copyOf(nodes);
    }

    /** Which pipeline each vertex is in, by the number of its first vertex. */
    int[] pipelines() {
        int[] pipelines = new int[nodes.size()];
        Arrays.setAll(pipelines, i -> i);
        for (int i = 0; i < pipelines.length; i++) {
            for (Node.Input input : nodes.get(i).inputs()) {
                int from = Math.max(pipelines[i], pipelines[input.from()]);
                int to = Math.min(pipelines[i], pipelines[input.from()]);
                for (int j = 0; j <= i; j++) {
                    pipelines[j] = pipelines[j] == from ? to : pipelines[j];
                }
            }
        }
        return pipelines;
    }

    /** Whether any parallelism would do for {@code rate}, for the pipeline of each vertex. */
    boolean[] feasible(double rate) {
        double[] in = flow(arrivals(rate));
        int[] pipelines = pipelines();
        boolean[] feasible = new boolean[in.length];
        Arrays.fill(feasible, true);
        for (int i = 0; i < in.length; i++) {
            Node node = nodes.get(i);
            feasible[pipelines[i]] &= node.canDo(in[i]);
        }
        boolean[] each = new boolean[in.length];
        for (int i = 0; i < in.length; i++) {
            each[i] = feasible[pipelines[i]];
        }
        return each;
    }

    /** Whether some parallelism would do for {@code rate}, for all vertices. */
    boolean isFeasible(double rate) {
        for (boolean each : feasible(rate)) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    int size() {
        return nodes.size();
    }

    /** Records a second into each vertex while {@code sources} reads so much. */
    double[] flow(double[] sources) {
        double[] in = new double[nodes.size()];
        for (int i = 0; i < in.length; i++) {
            Node node = nodes.get(i);
            in[i] =
                    node.isSource()
                            ? sources[i]
                            : node.inputs().stream()
                                    .mapToDouble(input -> in[input.from()] * input.ratio())
                                    .sum();
        }
        return in;
    }

    /** What falls to each source of so many records a second. */
    double[] arrivals(double rate) {
        return nodes.stream().mapToDouble(node -> node.share() * rate).toArray();
    }

    /**
     * The least parallelisms that carry {@code rate} with subtasks busy for {@code load} of their
     * time.
     */
    int[] least(double rate, double load) {
        double[] in = flow(arrivals(rate));
        int[] least = new int[in.length];
        Arrays.setAll(least, i -> nodes.get(i).least(in[i], load, load * UNEVEN));
        return least;
    }

    /** How many processors {@code rate} keeps busy, if each subtask is alone in its vertex. */
    double processors(double rate) {
        double[] in = flow(arrivals(rate));
        return IntStream.range(0, in.length).mapToDouble(i -> in[i] / nodes.get(i).rate()).sum();
    }

    /** All vertices share slots: the largest counts. */
    static int slots(int[] parallelisms) {
        return Arrays.stream(parallelisms).max().orElse(0);
    }
}
