// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/**
 * Resource requirements of one vertex under the adaptive scheduler. The constructor refuses what
 * would kill a JobManager: Flink answers 200 to an upper bound of -1 and then dies of it.
 *
 * <p>The constructor throws {@link IllegalArgumentException} unless {@code 1 <= lower <= upper}.
 */
public record ParallelismBounds(int lower, int upper) {
    public ParallelismBounds {
        if (lower < 1 || upper < lower) {
            throw new IllegalArgumentException(
                    "bounds must satisfy 1 <= lower <= upper, not " + lower + ".." + upper);
        }
    }
}
