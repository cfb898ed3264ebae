// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * One job on one trace.
 *
 * @param hours how long the trace is
 * @param settled from which hour on the load stays what it is; 0 from the start, negative never
 * @param start parallelisms at first
 * @param restart seconds that a rescale stops the job
 * @param inPlace whether it needs no upgrade
 * @param tellsBacklog whether its sources tell how many records wait
 * @param noise of what is measured, as a share; half of it of what comes in
 */
@RecordBuilder
record Case(
        String name,
        Job job,
        Load load,
        double hours,
        double settled,
        List<Integer> start,
        double restart,
        boolean inPlace,
        boolean tellsBacklog,
        double noise,
        long seed)
        implements CaseBuilder.With {
    Case {
        start = List.copyOf(start);
    }

    boolean settles() {
        return settled >= 0;
    }

    /** Whether it is one of those that are hard to judge. */
    boolean isHard() {
        return seed >= Cases.FIRST_HARD;
    }

    /** Whether nothing but noise changes. */
    boolean isNoiseAlone() {
        return settled == 0 && noise > 0.05 && name.contains("fitting");
    }
}
