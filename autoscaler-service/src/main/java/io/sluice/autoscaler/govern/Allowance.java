// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What may still be taken.
 *
 * @param cores empty for no limit
 * @param memory in bytes; empty for no limit
 */
public record Allowance(Optional<Double> cores, Optional<Long> memory) {
    public static final Allowance UNLIMITED = new Allowance(Optional.empty(), Optional.empty());

    public boolean isUnlimited() {
        return cores.isEmpty() && memory.isEmpty();
    }

    /** What both leave. */
    public Allowance and(Allowance other) {
        return new Allowance(
                Stream.concat(cores.stream(), other.cores.stream()).min(Double::compare),
                Stream.concat(memory.stream(), other.memory.stream()).min(Long::compare));
    }

    /** What is left once this is taken; may be less than nothing. */
    public Allowance minus(Footprint taken) {
        return new Allowance(
                cores.map(left -> left - taken.cores()), memory.map(left -> left - taken.memory()));
    }

    boolean covers(Footprint more) {
        return cores.map(left -> more.cores() <= left).orElse(true)
                && memory.map(left -> more.memory() <= left).orElse(true);
    }
}
