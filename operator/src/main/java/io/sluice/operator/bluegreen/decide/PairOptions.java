// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.Handover;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * How the halves of a pair take turns.
 *
 * @param grace how long the savepoint, and then the start of the other half may take
 * @param delay how long the former half stays after the promotion
 * @param longestPause between two looks at a transition
 * @param isApproved whether somebody has to approve of the other half
 * @param approval how long is waited for that
 * @param analysis how long the other half has to run
 * @param maxRestarts of its job meanwhile
 * @param minCheckpoints of its job meanwhile
 * @param promotesUnknown whether it is promoted though a figure is not known
 */
@RecordBuilder
public record PairOptions(
        Duration grace,
        Duration delay,
        Duration longestPause,
        Handover handover,
        boolean isApproved,
        Duration approval,
        Duration analysis,
        int maxRestarts,
        int minCheckpoints,
        boolean promotesUnknown)
        implements PairOptionsBuilder.With {
    public static PairOptions of(PairSpec spec) {
        Options options = new Options(spec.spec().configuration());
        return new PairOptions(
                options.get(BlueGreenOptions.GRACE_PERIOD),
                options.get(BlueGreenOptions.DELETION_DELAY),
                options.get(BlueGreenOptions.RESCHEDULE_INTERVAL),
                options.get(BlueGreenOptions.HANDOVER).equals(Handover.STOP_FIRST.wire())
                        ? Handover.STOP_FIRST
                        : Handover.OVERLAP,
                options.get(BlueGreenOptions.PROMOTION).equals("manual"),
                options.get(BlueGreenOptions.PROMOTION_DEADLINE),
                options.get(BlueGreenOptions.ANALYSIS_DURATION),
                options.get(BlueGreenOptions.ANALYSIS_MAX_RESTARTS),
                options.get(BlueGreenOptions.ANALYSIS_MIN_CHECKPOINTS),
                options.get(BlueGreenOptions.ANALYSIS_ON_INCONCLUSIVE).equals("promote"));
    }
}
