// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

/**
 * What TaskManagers take of a cluster.
 *
 * @param memory in bytes
 */
public record Footprint(double cores, long memory) {
    public static final Footprint NOTHING = new Footprint(0, 0);

    /** That of the TaskManagers that offer so many slots: whole ones. */
    public static Footprint of(int slots, int slotsEach, Footprint each) {
        int taskManagers = Math.ceilDiv(slots, Math.max(1, slotsEach));
        return new Footprint(taskManagers * each.cores, taskManagers * each.memory);
    }

    public Footprint plus(Footprint other) {
        return new Footprint(cores + other.cores, memory + other.memory);
    }

    public Footprint minus(Footprint other) {
        return new Footprint(cores - other.cores, memory - other.memory);
    }

    public boolean isMoreThan(Footprint other) {
        return cores > other.cores || memory > other.memory;
    }
}
