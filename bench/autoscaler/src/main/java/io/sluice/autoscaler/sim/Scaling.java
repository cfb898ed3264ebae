// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

/** What the subtasks of a vertex lose by running beside one another. */
sealed interface Scaling {
    Scaling PERFECT = new Power(1);

    /** Whatever their number, they can do together what one can: a system behind them is full. */
    Scaling NONE = new Power(0);

    /** The share of its own rate that each of so many subtasks has left. */
    double share(int parallelism);

    /** So many subtasks can do {@code n ^ exponent} times as much as one. */
    record Power(double exponent) implements Scaling {
        @Override
        public double share(int parallelism) {
            return Math.pow(parallelism, exponent - 1);
        }
    }

    /**
     * Each does its own rate, until they are at what a system behind them can do.
     *
     * @param helpful how many subtasks of their full rate that takes
     */
    record Limited(double helpful) implements Scaling {
        @Override
        public double share(int parallelism) {
            return Math.min(1, helpful / parallelism);
        }
    }

    /**
     * Gunther's universal scalability law: subtasks queue for what they share, and each pair of
     * them exchanges something, so that above some number more of them do less.
     *
     * @param contention the share of the work that only one of them can do at a time
     * @param coherency what each pair costs, as a share of the work
     */
    record Contended(double contention, double coherency) implements Scaling {
        @Override
        public double share(int parallelism) {
            double others = parallelism - 1.0;
            return 1 / (1 + contention * others + coherency * parallelism * others);
        }
    }
}
