// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.function.DoubleUnaryOperator;

/**
 * What a job meets beside its load. Times are seconds since the trace began.
 *
 * @param speed what each subtask can do, as a share of the usual, by time: what a record costs, or
 *     what neighbours on the machine leave
 * @param room slots that the cluster can give, by time
 * @param coresEach processors of one slot, shared by the subtasks in it
 * @param silence minutes of each hour in which the JobManager tells no metrics
 * @param failing share of the rescales after which the job only starts on its second attempt
 * @param backlog seconds of load that wait at first
 * @param noiseMemory seconds after which the noise of what is measured is down to a third; 0 if
 *     each value has its own
 */
@RecordBuilder
record Conditions(
        DoubleUnaryOperator speed,
        DoubleUnaryOperator room,
        double coresEach,
        double silence,
        double failing,
        double backlog,
        double noiseMemory)
        implements ConditionsBuilder.With {
    static final Conditions KIND =
            new Conditions(
                    _ -> 1, _ -> Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0, 0, 0, 0);

    /** Whether metrics are told at a time. */
    boolean tellsMetrics(double seconds) {
        return seconds % Load.HOUR >= silence * 60;
    }
}
