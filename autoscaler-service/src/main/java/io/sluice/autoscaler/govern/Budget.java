// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.history.Direction;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a job's rescales may cost: each is a pause for its users.
 *
 * @param upper utilization above which a vertex needs more, above 0 to 1
 * @param perDay rescales in any 24 hours; scaling down may use up half of them
 * @param coolDown the least time between two rescales
 * @param reversalPause the least time between scaling up and scaling down
 * @param leastChange a change of fewer slots than this share of the job's is not worth a thought,
 *     from 0 to 1
 * @param leastSlots nor is a change of fewer slots
 * @param unrest what a rescale costs beside its restart: users, caches, attention; as the time all
 *     slots of the job idle; with none less is taken at once
 * @param calm how long a load has to have stayed the same for the job to be fitted to it; zero for
 *     never
 * @param lagObjective a job is late if its records wait for longer; zero for never
 * @param catchUp in which time the user wants what waits to be worked off; empty if nothing was
 *     said
 * @param scaleDownInterval the least time something must be too much before it is taken, in the
 *     user's own words
 * @param cores all TaskManagers of the job together; empty for no limit
 * @param memory likewise, in bytes
 */
@RecordBuilder
public record Budget(
        Mode mode,
        double upper,
        int perDay,
        Duration coolDown,
        Duration reversalPause,
        double leastChange,
        int leastSlots,
        Duration unrest,
        Duration calm,
        Duration lagObjective,
        Optional<Duration> catchUp,
        Duration scaleDownInterval,
        Optional<Double> cores,
        Optional<Long> memory)
        implements BudgetBuilder.With {
    public static final Budget DEFAULT =
            of(new JobOptions(FlinkConfiguration.EMPTY), Duration.ZERO);

    /** A restart is felt this many times as long as it lasts: what piled up is worked off. */
    private static final int AFTERMATH = 4;

    public static Budget of(JobOptions options, Duration leastCoolDown) {
        Duration coolDown = options.duration(AutoscalerOptions.COOL_DOWN);
        return new Budget(
                options.choice(AutoscalerOptions.GOVERNOR_MODE, Arrays.asList(Mode.values())),
                EngineOptions.upper(options),
                options.integer(AutoscalerOptions.RESCALES_PER_DAY, 0),
                coolDown.compareTo(leastCoolDown) < 0 ? leastCoolDown : coolDown,
                options.duration(AutoscalerOptions.REVERSAL_PAUSE),
                options.number(AutoscalerOptions.LEAST_CHANGE, 0),
                0,
                options.duration(AutoscalerOptions.UNREST),
                options.duration(AutoscalerOptions.CALM),
                options.duration(AutoscalerOptions.LAG_OBJECTIVE),
                options.durationIfSet(AutoscalerOptions.CATCH_UP_DURATION)
                        .filter(Duration::isPositive),
                options.durationIfSet(AutoscalerOptions.SCALE_DOWN_INTERVAL)
                        .or(
                                () ->
                                        options.durationIfSet(
                                                AutoscalerOptions.FORMER_SCALE_DOWN_INTERVAL))
                        .orElseGet(AutoscalerOptions.SCALE_DOWN_INTERVAL::otherwise),
                options.numberIfSet(AutoscalerOptions.QUOTA_CPU, 0),
                options.bytesIfSet(AutoscalerOptions.QUOTA_MEMORY));
    }

    /**
     * For a job whose load has stayed the same for long. It is not expected to turn: less is taken
     * at once, and half as much is worth a restart. One slot may be noise.
     */
    public Budget whileCalm() {
        return with().leastChange(leastChange / 2).leastSlots(2).unrest(Duration.ZERO).build();
    }

    /** Whether records of the job wait for longer than they are to. */
    public boolean isLate(Proposal proposal) {
        return lagObjective.isPositive() && proposal.lag() > lagObjective.toSeconds();
    }

    /**
     * Whether the job does not keep up: its records wait for too long, or a vertex is busy all the
     * time where nobody tells what waits.
     */
    public boolean isBehind(Proposal proposal) {
        boolean isTold = lagObjective.isPositive() && proposal.tellsWaiting();
        return isTold ? isLate(proposal) : proposal.isSwamped();
    }

    /** Whether a change is too small for the restart that it takes. */
    boolean isTooSmall(Proposal proposal) {
        int slots = proposal.slotsNow();
        int change = Math.abs(proposal.slotsThen() - slots);
        return change < leastSlots || change < leastChange * slots;
    }

    /** How long all slots of a job idle for one rescale, all in all; nothing without unrest. */
    Duration price(Duration restart) {
        return unrest.isZero() ? Duration.ZERO : unrest.plus(restart.multipliedBy(AFTERMATH));
    }

    /** How many rescales of the day a direction may use. */
    int share(Direction direction) {
        return switch (direction) {
            case UP -> perDay;
            case DOWN -> perDay / 2;
        };
    }
}
