// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.DisposalStatus;
import io.sluice.api.SavedState;
import io.sluice.api.StateKind;
import io.sluice.api.StateLog;
import io.sluice.rules.config.Redaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes the savepoints that {@link Kept} says are overdue, one at a time. That one is being
 * deleted is recorded before Flink hears of it, and it is forgotten only once it is gone.
 *
 * <pre>
 *   overdue ─▶ recorded, asked for ─▶ gone ─▶ forgotten
 *                   └── failed ─▶ told once, tried again after a growing pause; others go on
 * </pre>
 */
final class Disposal {
    static final int MOST_TRIES = 5;
    private static final int MOST_HOPELESS = 50;
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final int GROWTH = 5;

    private Disposal() {}

    static Upkeep step(Upkeep upkeep) {
        if (log(upkeep.pass()).history().isEmpty()) {
            return upkeep;
        }
        Upkeep settled = upkeep;
        for (SavedState state : log(upkeep.pass()).history()) {
            Optional<DisposalStatus> disposal = state.disposal().filter(DisposalStatus::isUnderWay);
            if (disposal.isPresent()) {
                settled = answered(settled, state, disposal.get());
            }
        }
        boolean isBusy = log(settled.pass()).history().stream().anyMatch(Disposal::isUnderWay);
        return isBusy ? settled : next(settled);
    }

    private static Upkeep next(Upkeep upkeep) {
        Pass pass = upkeep.pass();
        Kept kept = Kept.of(pass, upkeep.options());
        List<SavedState> overdue = kept.overdue(log(pass).history());
        if (!kept.disposes()) {
            return overdue.isEmpty() ? upkeep : upkeep.with(without(pass, overdue));
        }
        List<SavedState> hopeless = overdue.stream().filter(Disposal::isHopeless).toList();
        if (hopeless.size() > MOST_HOPELESS) {
            return upkeep.with(forgotten(pass, hopeless.getFirst()));
        }
        return overdue.stream()
                .filter(state -> isTime(pass, state))
                .findFirst()
                .map(state -> begin(upkeep, state))
                .orElse(upkeep);
    }

    /** So that a status does not grow for ever where nothing can be deleted. */
    private static Pass forgotten(Pass pass, SavedState state) {
        String location = state.location().orElse("");
        return without(pass, List.of(state))
                .telling(
                        Note.warning(
                                "Operator",
                                "SavepointError",
                                "forgotten " + location,
                                "Savepoint "
                                        + location
                                        + " could not be deleted and is no longer kept track of:"
                                        + " delete it by hand"));
    }

    private static boolean isHopeless(SavedState state) {
        return state.disposal()
                .filter(disposal -> !disposal.isUnderWay() && disposal.tries() >= MOST_TRIES)
                .isPresent();
    }

    private static Upkeep begin(Upkeep upkeep, SavedState state) {
        Pass pass = upkeep.pass();
        int tries = state.disposal().map(DisposalStatus::tries).orElse(0) + 1;
        SavedState next =
                state.disposedBy(
                        new DisposalStatus(pass.snapshot().now(), tries, Optional.empty()));
        return upkeep.with(replacing(pass, state, next))
                .doing(new Action.DisposeSavepoint(state.location().orElse("")))
                .within(pass.soon());
    }

    private static Upkeep answered(Upkeep upkeep, SavedState state, DisposalStatus disposal) {
        Pass pass = upkeep.pass();
        String location = state.location().orElse("");
        return switch (pass.snapshot().run().disposal(location)) {
            case Answer.Done _ -> upkeep.with(without(pass, List.of(state)));
            case Answer.Failed(var message) -> upkeep.with(failed(pass, state, disposal, message));
            case Answer.Pending _ -> upkeep.within(pass.soon());
            case Answer.Silent _ -> upkeep.within(pass.soon());
            case Answer.Unknown _ -> again(upkeep, location);
            case Answer.NotAsked _ -> again(upkeep, location);
        };
    }

    /** Deleting what is gone is no harm; but what is needed by now is not asked for again. */
    private static Upkeep again(Upkeep upkeep, String location) {
        Upkeep waiting = upkeep.within(upkeep.pass().soon());
        return Kept.of(upkeep.pass(), upkeep.options()).spares(location)
                ? waiting
                : waiting.doing(new Action.DisposeSavepoint(location));
    }

    private static Pass failed(
            Pass pass, SavedState state, DisposalStatus disposal, String message) {
        String why = Redaction.of(pass.running().configuration()).apply(message);
        Pass next = replacing(pass, state, state.disposedBy(disposal.failing(why)));
        String location = state.location().orElse("");
        return disposal.tries() > 1
                ? next
                : next.telling(
                        Note.warning(
                                "Operator",
                                "SavepointError",
                                "disposal " + location,
                                "Savepoint "
                                        + location
                                        + " is due to be deleted, and could not be: "
                                        + why
                                        + "; it stays in status.jobStatus.savepointInfo and is tried"
                                        + " again a few times, then delete it by hand"));
    }

    /** Never tried, or the pause after a failed try is over: 1 min, then five times as long. */
    private static boolean isTime(Pass pass, SavedState state) {
        return state.disposal()
                .map(
                        failed ->
                                failed.tries() < MOST_TRIES
                                        && !pass.snapshot()
                                                .now()
                                                .isBefore(failed.at().plus(pause(failed.tries()))))
                .orElse(true);
    }

    private static Duration pause(int tries) {
        return FIRST_PAUSE.multipliedBy((long) Math.pow(GROWTH, tries - 1.0));
    }

    private static boolean isUnderWay(SavedState state) {
        return state.disposal().filter(DisposalStatus::isUnderWay).isPresent();
    }

    private static Pass replacing(Pass pass, SavedState before, SavedState after) {
        List<SavedState> history = new ArrayList<>(log(pass).history());
        history.replaceAll(state -> state.equals(before) ? after : state);
        return logging(pass, history);
    }

    private static Pass without(Pass pass, List<SavedState> gone) {
        List<SavedState> history = new ArrayList<>(log(pass).history());
        history.removeAll(gone);
        return logging(pass, history);
    }

    private static Pass logging(Pass pass, List<SavedState> history) {
        StateLog next = log(pass).withHistory(history);
        return pass.with(
                pass.draft().with(pass.draft().job().log().with(StateKind.SAVEPOINT, next)));
    }

    private static StateLog log(Pass pass) {
        return pass.draft().job().log().savepoints();
    }
}
