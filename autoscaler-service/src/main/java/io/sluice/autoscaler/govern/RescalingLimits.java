// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

/**
 * What the other jobs leave room for.
 *
 * @param underWay rescales of other jobs that are not done yet
 * @param atOnce how many may be
 * @param namespace what {@code governor.namespace-quota} of the job's namespace leaves
 * @param resourceQuotas what the ResourceQuotas of the job's namespace leave
 */
public record RescalingLimits(
        int underWay, int atOnce, Allowance namespace, Allowance resourceQuotas) {
    public static final RescalingLimits EMPTY =
            new RescalingLimits(0, Integer.MAX_VALUE, Allowance.UNLIMITED, Allowance.UNLIMITED);

    /** A third of the places is kept for jobs that can't keep up. */
    boolean isBusyFor(boolean urgent) {
        return underWay >= (urgent ? atOnce : Math.max(1, atOnce - atOnce / 3));
    }
}
