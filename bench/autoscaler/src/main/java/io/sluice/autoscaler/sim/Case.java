// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.stream.IntStream;

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
 * @param look seconds from one look to the next
 * @param slotsEach slots that one TaskManager offers
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
        long seed,
        double look,
        int slotsEach,
        Conditions conditions)
        implements CaseBuilder.With {
    /** How kind a trace is. */
    enum Group {
        /** Every job can be judged, and grows as it should. */
        KIND,

        /** A part of the job can't be judged. */
        HARD,

        /** Loads, jobs and clusters as they are, looked at as the service looks. */
        HARSH
    }

    static final double EACH_MINUTE = 60;

    /** As the service looks. */
    static final double AS_THE_SERVICE = 15;

    Case {
        start = List.copyOf(start);
    }

    boolean settles() {
        return settled >= 0;
    }

    /**
     * The fewest slots that carry so much with subtasks, and the processors that they share, busy
     * for {@code share} of their time.
     */
    int slots(double rate, double share) {
        double busy = job.processors(rate) / (conditions.coresEach() * share);
        return Math.max(Job.slots(job.least(rate, share)), (int) Math.ceil(busy));
    }

    /** Which of the three groups it is in. */
    Group group() {
        return seed >= HarshCases.FIRST
                ? Group.HARSH
                : seed >= Cases.FIRST_HARD ? Group.HARD : Group.KIND;
    }

    /** The mean of the load, in records a second. */
    double usual() {
        return IntStream.range(0, (int) (hours * 60))
                .mapToDouble(minute -> load.at(minute * 60.0))
                .average()
                .orElse(0);
    }

    /** Whether nothing but noise changes. */
    boolean isNoiseAlone() {
        return settled == 0 && noise > 0.05 && name.contains("fitting");
    }
}
