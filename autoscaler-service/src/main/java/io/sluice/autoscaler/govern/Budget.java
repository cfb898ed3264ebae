// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.JobOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a job's rescales may cost: each is a pause for its users.
 *
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
 * @param scaleDownInterval the least time something must be too much before it is taken, in the
 *     user's own words
 * @param cores all TaskManagers of the job together; empty for no limit
 * @param memory likewise, in bytes
 */
public record Budget(
        Mode mode,
        int perDay,
        Duration coolDown,
        Duration reversalPause,
        double leastChange,
        int leastSlots,
        Duration unrest,
        Duration calm,
        Duration scaleDownInterval,
        Optional<Double> cores,
        Optional<Long> memory) {
    public static final Budget DEFAULT =
            new Budget(
                    Mode.APPLY,
                    20,
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(30),
                    0.12,
                    0,
                    Duration.ofMinutes(60),
                    Duration.ofHours(4),
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.empty());

    /** A restart is felt this many times as long as it lasts: what piled up is worked off. */
    private static final int AFTERMATH = 4;

    public static Budget of(JobOptions options, Duration leastCoolDown) {
        Duration coolDown = options.duration("governor.cool-down").orElse(DEFAULT.coolDown);
        return new Budget(
                options.choice("governor.mode", Arrays.asList(Mode.values())).orElse(DEFAULT.mode),
                options.integer("governor.rescales-per-day", 0).orElse(DEFAULT.perDay),
                coolDown.compareTo(leastCoolDown) < 0 ? leastCoolDown : coolDown,
                options.duration("governor.reversal-pause").orElse(DEFAULT.reversalPause),
                options.number("governor.least-change", 0).orElse(DEFAULT.leastChange),
                DEFAULT.leastSlots,
                options.duration("governor.unrest").orElse(DEFAULT.unrest),
                options.duration("governor.calm").orElse(DEFAULT.calm),
                options.duration("scale-down.interval")
                        .or(() -> options.duration("scale-up.grace-period"))
                        .orElse(DEFAULT.scaleDownInterval),
                options.number("quota.cpu", 0),
                options.bytes("quota.memory"));
    }

    public Budget withMode(Mode other) {
        return new Budget(
                other,
                perDay,
                coolDown,
                reversalPause,
                leastChange,
                leastSlots,
                unrest,
                calm,
                scaleDownInterval,
                cores,
                memory);
    }

    /**
     * For a job whose load has stayed the same for long. It is not expected to turn: less is taken
     * at once, and half as much is worth a restart. One slot may be noise.
     */
    public Budget whileCalm() {
        return new Budget(
                mode,
                perDay,
                coolDown,
                reversalPause,
                leastChange / 2,
                2,
                Duration.ZERO,
                calm,
                scaleDownInterval,
                cores,
                memory);
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
