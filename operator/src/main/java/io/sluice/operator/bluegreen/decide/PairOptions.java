// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.Handover;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the halves of a pair take turns.
 *
 * @param grace how long the savepoint, and then the start of the other half may take
 * @param delay how long the former half stays after the promotion
 * @param longestPause between two looks at a transition
 * @param isApproved whether somebody has to approve of the other half
 * @param approval how long is waited for that
 * @param analysis how long the other half has to run
 * @param interval between two looks meanwhile
 * @param failureLimit at how many looks in a row a check that compares or asks has to fail
 * @param maxLagRatio how many times the pending records of the active half it may have
 * @param toleratedLag so many pending records are never too many
 * @param maxWatermarkDelay how far it may be behind the active half
 * @param queries the names of those that Prometheus is asked
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
        Duration interval,
        int failureLimit,
        Optional<Double> maxLagRatio,
        int toleratedLag,
        Optional<Duration> maxWatermarkDelay,
        List<String> queries,
        int maxRestarts,
        int minCheckpoints,
        boolean promotesUnknown)
        implements PairOptionsBuilder.With {
    public PairOptions {
        queries = List.copyOf(queries);
    }

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
                options.get(BlueGreenOptions.ANALYSIS_INTERVAL),
                options.get(BlueGreenOptions.ANALYSIS_FAILURE_LIMIT),
                options.get(BlueGreenOptions.ANALYSIS_MAX_LAG_RATIO),
                options.get(BlueGreenOptions.ANALYSIS_TOLERATED_LAG),
                options.get(BlueGreenOptions.ANALYSIS_MAX_WATERMARK_DELAY),
                options.get(BlueGreenOptions.ANALYSIS_QUERIES).stream().distinct().toList(),
                options.get(BlueGreenOptions.ANALYSIS_MAX_RESTARTS),
                options.get(BlueGreenOptions.ANALYSIS_MIN_CHECKPOINTS),
                options.get(BlueGreenOptions.ANALYSIS_ON_INCONCLUSIVE).equals("promote"));
    }
}
