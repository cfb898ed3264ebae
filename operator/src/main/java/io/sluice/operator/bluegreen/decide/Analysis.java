// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static java.util.stream.Collectors.joining;

import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionCheck;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the checks of the other half say, which has run without a break so far. Each look is on
 * record, with how often each check has failed since it last passed: another process of the
 * operator counts on from there.
 */
sealed interface Analysis {
    record Passed() implements Analysis {}

    /**
     * @param next when to look again
     * @param detail for people
     */
    record InProgress(Instant next, String detail) implements Analysis {}

    /**
     * @param why sentences
     */
    record Failed(String why) implements Analysis {}

    /**
     * Its time is over, and nobody knows.
     *
     * @param why sentences
     */
    record Unknown(String why) implements Analysis {}

    /** Whether the halves are to be asked now: once in each interval, and at no other time. */
    static boolean isLookDue(PairDraft draft) {
        return draft.status()
                .transition()
                .filter(it -> isWatched(it.phase()))
                .filter(_ -> draft.options().analysis().isPositive())
                .filter(it -> draft.half(it.to()).is(Condition.STEADY))
                .filter(it -> !draft.now().isBefore(nextLook(draft, it)))
                .isPresent();
    }

    private static boolean isWatched(TransitionPhase phase) {
        return switch (phase) {
            case PROVING, APPROVAL -> true;
            case FIRST,
                    IN_PLACE,
                    PREPARING,
                    SAVING,
                    STARTING,
                    RETIRING,
                    REMOVING,
                    ABORTING,
                    RESUMING,
                    ENDED ->
                    false;
        };
    }

    private static Instant nextLook(PairDraft draft, PairTransition transition) {
        return transition
                .checkedAt()
                .map(it -> it.plus(draft.options().interval()))
                .orElse(transition.since());
    }

    /** The transition with what this reconciliation's look has found, if there was one. */
    static PairTransition looked(PairDraft draft, PairTransition transition) {
        Figures figures = draft.observed().figures();
        boolean isDue =
                figures.isAsked()
                        && PairDecider.isLookDue(draft.observed())
                        && !draft.now().isBefore(nextLook(draft, transition));
        if (!isDue) {
            return transition;
        }
        List<TransitionCheck> checks =
                Check.all(draft.options(), figures).stream()
                        .map(check -> check.after(found(transition, check.name())))
                        .toList();
        return transition.with().checkedAt(Optional.of(draft.now())).checks(checks).build();
    }

    private static Optional<TransitionCheck> found(PairTransition transition, String name) {
        return transition.checks().stream().filter(it -> it.name().equals(name)).findFirst();
    }

    /** Of a half that is being proven. What is not known neither passes nor fails. */
    static Analysis of(PairDraft draft, PairTransition transition) {
        PairOptions options = draft.options();
        if (options.analysis().isZero()) {
            return new Passed();
        }
        Optional<Failed> failed = failed(draft, transition);
        if (failed.isPresent()) {
            return failed.get();
        }
        Instant until =
                draft.status()
                        .deploymentReadyTimestamp()
                        .orElse(draft.now())
                        .plus(options.analysis());
        boolean isLooked = transition.checkedAt().filter(it -> !it.isBefore(until)).isPresent();
        return isLooked ? atTheEnd(draft, transition, until) : goingOn(draft, transition, until);
    }

    /** Of a half that waits for its approval: it may fail, and has passed already. */
    static Analysis whileWaiting(PairDraft draft, PairTransition transition) {
        return draft.options().analysis().isZero()
                ? new Passed()
                : failed(draft, transition)
                        .<Analysis>map(it -> it)
                        .orElseGet(() -> new InProgress(next(draft, transition), ""));
    }

    private static Optional<Failed> failed(PairDraft draft, PairTransition transition) {
        return transition.checks().stream()
                .filter(
                        check ->
                                switch (Check.weight(check.name())) {
                                    case AT_ONCE -> check.failures() > 0;
                                    case AT_THE_END -> false;
                                    case IN_A_ROW ->
                                            check.failures() >= draft.options().failureLimit();
                                })
                .findFirst()
                .map(check -> failure(transition, check));
    }

    /**
     * Each check has to pass at a look after the time. Those that are to fail several times in a
     * row have as many looks for it, once more.
     */
    private static Analysis atTheEnd(PairDraft draft, PairTransition transition, Instant until) {
        PairOptions options = draft.options();
        Optional<TransitionCheck> tooFew =
                first(transition, Check.Weight.AT_THE_END, check -> check.failures() > 0);
        if (tooFew.isPresent()) {
            return failure(transition, tooFew.get());
        }
        boolean isCounted =
                first(transition, Check.Weight.AT_ONCE, Analysis::isUnknown)
                        .or(() -> first(transition, Check.Weight.AT_THE_END, Analysis::isUnknown))
                        .isEmpty();
        if (!isCounted) {
            return unknown(transition);
        }
        boolean isSettled =
                first(
                                transition,
                                Check.Weight.IN_A_ROW,
                                check -> isUnknown(check) || check.failures() > 0)
                        .isEmpty();
        if (isSettled) {
            return new Passed();
        }
        Duration patience = options.interval().multipliedBy(options.failureLimit());
        if (draft.now().isBefore(until.plus(patience))) {
            return goingOn(draft, transition, until.plus(patience));
        }
        return first(transition, Check.Weight.IN_A_ROW, check -> check.failures() > 0)
                .<Analysis>map(check -> failure(transition, check))
                .orElseGet(() -> unknown(transition));
    }

    private static boolean isUnknown(TransitionCheck check) {
        return check.value().isEmpty();
    }

    private static Optional<TransitionCheck> first(
            PairTransition transition, Check.Weight weight, Predicate<TransitionCheck> which) {
        return transition.checks().stream()
                .filter(check -> Check.weight(check.name()) == weight)
                .filter(which)
                .findFirst();
    }

    private static InProgress goingOn(PairDraft draft, PairTransition transition, Instant until) {
        String failing =
                transition.checks().stream()
                        .filter(check -> Check.weight(check.name()) == Check.Weight.IN_A_ROW)
                        .filter(check -> check.failures() > 0)
                        .map(check -> " " + told(check))
                        .collect(joining());
        return new InProgress(next(draft, transition), "Until " + until + "." + failing);
    }

    private static Instant next(PairDraft draft, PairTransition transition) {
        Instant soon = draft.now().plus(PairDraft.SOON);
        Instant next = nextLook(draft, transition);
        return next.isBefore(soon) ? soon : next;
    }

    private static Failed failure(PairTransition transition, TransitionCheck check) {
        String why =
                switch (check.name()) {
                    case Check.RESTARTS ->
                            "Its job has restarted "
                                    + check.shown().orElse("several")
                                    + " times during the analysis.";
                    case Check.CHECKPOINTS ->
                            "Its job has completed "
                                    + check.shown().orElse("too few")
                                    + " checkpoints during the analysis.";
                    default -> told(check);
                };
        return new Failed(why + lastValues(transition));
    }

    private static String told(TransitionCheck check) {
        return "Its check "
                + check.name()
                + " has failed at "
                + check.failures()
                + (check.failures() == 1 ? " look" : " looks in a row")
                + ".";
    }

    private static Unknown unknown(PairTransition transition) {
        String names =
                transition.checks().stream()
                        .filter(Analysis::isUnknown)
                        .map(check -> check.name() + check.why().map(why -> ": " + why).orElse("."))
                        .collect(joining(" "));
        return new Unknown("Not known at the end of the analysis: " + names);
    }

    private static String lastValues(PairTransition transition) {
        return transition.checks().stream()
                .map(
                        check ->
                                check.name()
                                        + " "
                                        + check.shown().orElse("not known")
                                        + (check.bound().isEmpty()
                                                ? ""
                                                : " (" + check.bound() + ")"))
                .collect(joining(", ", " Last values: ", "."));
    }
}
