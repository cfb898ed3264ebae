// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.history.Direction;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.history.Rescale;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The last word on every scaling. Of all that speaks against one the first is told: that the job
 * can't be judged, then that it would be unwise, then that there is no room.
 */
public final class Governor {
    /** New pods take their time; what has not come by then may never come. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A cluster that has no room is not asked for another size above what runs before. */
    private static final Duration NO_ROOM = Duration.ofHours(1);

    /** By hour. A load that grows slower than this is taken for steady. */
    private static final double STEADY = 0.1;

    private static final double HOUR = 3600;

    /** How often a job that can't keep up is raised though the rescales of its day are spent. */
    private static final Duration BEYOND_BUDGET = Duration.ofHours(1);

    /** Likewise a job whose records wait for longer than they are to. */
    private static final Duration BEYOND_BUDGET_WHEN_LATE = Duration.ofMinutes(10);

    /**
     * What waits is left to what runs if it is gone by then. A job that is short waits no longer.
     */
    private static final Duration SOON = Duration.ofMinutes(10);

    private static final int RESTARTS = 4;

    /** What came and went for so long is known, and bursts are allowed for. */
    private static final Duration LONG_ENOUGH = Duration.ofHours(1);

    /** Who has that much to work off waits no longer than a burst may last. */
    private static final Duration LONGEST_BURST = Duration.ofMinutes(2);

    /** Who has caught up for so long has no use for what that took. */
    private static final Duration CAUGHT_UP = Duration.ofMinutes(10);

    private static final Duration RECENT = Duration.ofHours(6);
    private static final int MOST_DOUBLINGS = 4;
    private static final double DEEP = 1.5;

    private Governor() {}

    public static ScalePlan decide(
            GovernedProposal governed, Budget budget, RescalingLimits limits, History history) {
        Proposal proposal = governed.rest();
        return Stream.of(
                        doubts(governed.whole(), budget),
                        governed.hold(history),
                        timing(proposal, budget, history),
                        worth(proposal, budget, history),
                        room(proposal, budget, limits).<ScalePlan>map(ScalePlan.Hold::new))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(
                        () ->
                                budget.mode() == Mode.RECOMMEND
                                        ? new ScalePlan.Hold(HoldReason.RECOMMEND_ONLY)
                                        : new ScalePlan.Apply(
                                                proposal.overrides(), proposal.direction()));
    }

    /** What remembering {@code history} for another {@code time} makes of it. */
    public static History remember(Proposal proposal, History history, Duration time) {
        return history.idled(
                proposal.direction() == Direction.UP ? 0 : proposal.paidNow() - proposal.paidThen(),
                time,
                proposal.now());
    }

    private static Optional<ScalePlan> doubts(Proposal proposal, Budget budget) {
        if (budget.mode() == Mode.OFF) {
            return hold(HoldReason.SWITCHED_OFF);
        }
        if (proposal.changesNothing()) {
            return hold(HoldReason.NOTHING_CHANGED);
        }
        return switch (proposal.health()) {
            case UNSETTLED -> hold(HoldReason.JOB_NOT_STABLE);
            case RECOVERING -> hold(HoldReason.JOB_RECOVERING);
            case BETWEEN_HALVES -> hold(HoldReason.PAIR_IN_TRANSITION);
            case STEADY -> Optional.empty();
        };
    }

    private static Optional<ScalePlan> timing(Proposal proposal, Budget budget, History history) {
        Instant now = proposal.now();
        Direction direction = proposal.direction();
        Optional<Instant> last = history.last().map(Rescale::at);
        Optional<Instant> patience = after(last, PATIENCE, now);
        if (patience.isPresent() && any(proposal, Governor::takesBack)) {
            return hold(HoldReason.SCALE_UP_PENDING, patience);
        }
        boolean isPending =
                direction == Direction.UP
                        && proposal.pendingFor().isPositive()
                        && any(proposal, Vertex::isPending);
        if (isPending && proposal.pendingFor().compareTo(NO_ROOM) < 0) {
            return hold(
                    HoldReason.SCALE_UP_PENDING,
                    Optional.of(now.plus(NO_ROOM).minus(proposal.pendingFor())));
        }
        Optional<Instant> cool = after(last, budget.coolDown(), now);
        if (cool.isPresent()) {
            return hold(HoldReason.COOLING_DOWN, cool);
        }
        boolean dammedUp = any(proposal, vertex -> vertex.isRaised() && vertex.need().isDammedUp());
        boolean isLate = budget.isLate(proposal);
        boolean waitsForLong = proposal.shortFor().compareTo(SOON) >= 0;
        if (direction == Direction.UP && !waitsForLong && isWorkedOffSoon(proposal, budget)) {
            return hold(HoldReason.BACKLOG_SHRINKS);
        }
        if (history.ofDay(now) >= budget.share(direction)) {
            boolean isNeeded = dammedUp || proposal.isUrgent();
            Duration pause = isLate ? BEYOND_BUDGET_WHEN_LATE : BEYOND_BUDGET;
            Optional<Instant> next = isNeeded ? after(last, pause, now) : history.nextOfDay(now);
            if (next.isPresent()) {
                return hold(HoldReason.DAY_BUDGET_SPENT, next);
            }
        }
        boolean waitsForAWhile = proposal.shortFor().compareTo(LONGEST_BURST) >= 0;
        boolean isSettled =
                direction == Direction.UP
                        ? waitsForLong || (waitsForAWhile && (dammedUp || isLate))
                        : after(history.wastingSince(), LONG_ENOUGH, now).isEmpty()
                                && history.wastingSince().isPresent();
        if (proposal.trend().isUnsettled(direction) && !isSettled) {
            return hold(HoldReason.LOAD_JUMPS);
        }
        if (direction == Direction.UP) {
            return Optional.empty();
        }
        if (isLate) {
            return hold(HoldReason.JOB_IS_LATE);
        }
        if (proposal.trend().growth() * HOUR > STEADY) {
            return hold(HoldReason.LOAD_RISES);
        }
        Optional<Instant> reversal = after(history.lastUp(), pause(budget, history), now);
        return reversal.isPresent()
                ? hold(HoldReason.REVERSAL_TOO_SOON, reversal)
                : Optional.empty();
    }

    /**
     * A burst that is over leaves something to do, and no reason to stop the job for it. Who says
     * how soon it is to be done is not made to wait for longer.
     */
    private static boolean isWorkedOffSoon(Proposal proposal, Budget budget) {
        Duration restarts = proposal.restart().multipliedBy(RESTARTS);
        Duration soon = SOON.compareTo(restarts) > 0 ? SOON : restarts;
        Duration asked = budget.catchUp().filter(time -> time.compareTo(soon) < 0).orElse(soon);
        return proposal.catchesUpWithin(asked, budget.upper());
    }

    /**
     * More is worth it at once. Less is taken when what was too much has cost as much as taking it
     * will: then the two together cost at most twice what the best choice would have.
     */
    private static Optional<ScalePlan> worth(Proposal proposal, Budget budget, History history) {
        int change = Math.abs(proposal.paidThen() - proposal.paidNow());
        if (proposal.isUrgent()
                || (proposal.direction() == Direction.UP && budget.isLate(proposal))) {
            return Optional.empty();
        }
        if (budget.isTooSmall(proposal)) {
            return hold(HoldReason.CHANGE_TOO_SMALL);
        }
        if (proposal.direction() == Direction.UP) {
            return Optional.empty();
        }
        if (change == 0) {
            return hold(HoldReason.CHANGE_TOO_SMALL);
        }
        Instant now = proposal.now();
        double missing = price(proposal, budget, history) - history.waste();
        Optional<Instant> paid =
                missing > 0
                        ? Optional.of(now.plusSeconds((long) Math.ceil(missing / change)))
                        : Optional.empty();
        Optional<Instant> asked =
                after(
                        history.wastingSince().or(() -> Optional.of(now)),
                        budget.scaleDownInterval(),
                        now);
        Optional<Instant> until =
                Stream.of(paid, asked).flatMap(Optional::stream).max(Instant::compareTo);
        return until.isPresent() ? hold(HoldReason.NOT_WORTH_A_RESTART, until) : Optional.empty();
    }

    /** The only reason that other jobs can give, and so the only one that comes at any moment. */
    public static Optional<HoldReason> room(
            Proposal proposal, Budget budget, RescalingLimits limits) {
        Footprint then = proposal.footprintThen();
        Footprint now = proposal.footprintNow();
        if (then.isMoreThan(now)) {
            boolean exceeds =
                    budget.cores().filter(cores -> then.cores() > cores).isPresent()
                            || budget.memory().filter(memory -> then.memory() > memory).isPresent();
            if (exceeds) {
                return Optional.of(HoldReason.JOB_QUOTA);
            }
            if (!limits.namespace().covers(then.minus(now))) {
                return Optional.of(HoldReason.NAMESPACE_QUOTA);
            }
            if (!limits.resourceQuotas().covers(then.minus(now))) {
                return Optional.of(HoldReason.RESOURCE_QUOTA);
            }
        }
        return limits.isBusyFor(proposal.isUrgent())
                ? Optional.of(HoldReason.FLEET_BUSY)
                : Optional.empty();
    }

    /**
     * In seconds of one slot. What a late job got to catch up goes back for nothing. What was
     * needed again and again of late may be once more, and what is gone all at once may come back
     * all at once: both cost more to take.
     */
    private static double price(Proposal proposal, Budget budget, History history) {
        if (history.isForBacklog()) {
            return 0;
        }
        double price = budget.price(proposal.restart()).toMillis() / 1000.0 * proposal.slotsNow();
        long turns = history.turnsUpSince(proposal.now().minus(RECENT));
        boolean deep = proposal.slotsThen() * 2 < proposal.slotsNow();
        return price * (1L << Math.min(turns, MOST_DOUBLINGS)) * (deep ? DEEP : 1);
    }

    /** Before what was scaled up is scaled down. */
    private static Duration pause(Budget budget, History history) {
        Duration pause = budget.reversalPause();
        return history.isForBacklog() && pause.compareTo(CAUGHT_UP) > 0 ? CAUGHT_UP : pause;
    }

    private static boolean takesBack(Vertex vertex) {
        return vertex.isPending() && vertex.proposed() < vertex.published();
    }

    /** The end of a time that began then; empty if it is over, or begins later than now. */
    private static Optional<Instant> after(Optional<Instant> begin, Duration time, Instant now) {
        return begin.filter(at -> !at.isAfter(now)).map(at -> at.plus(time)).filter(now::isBefore);
    }

    private static boolean any(Proposal proposal, Predicate<Vertex> is) {
        return proposal.vertices().values().stream().anyMatch(is);
    }

    private static Optional<ScalePlan> hold(HoldReason reason) {
        return Optional.of(new ScalePlan.Hold(reason));
    }

    private static Optional<ScalePlan> hold(HoldReason reason, Optional<Instant> until) {
        return Optional.of(new ScalePlan.Hold(reason, until));
    }
}
