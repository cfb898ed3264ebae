// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.status.DisposalStatus;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Redaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes the savepoints that {@link SavepointRetention} says are overdue, one at a time. That one
 * is being deleted is recorded before Flink hears of it, and it is forgotten only once it is gone.
 *
 * <pre>
 *   overdue ─▶ recorded, asked for ─▶ gone ─▶ forgotten
 *                   └── failed ─▶ told once, tried again after a growing pause; others go on
 * </pre>
 */
final class SavepointDisposal {
    static final int MOST_TRIES = 5;
    private static final int MOST_HOPELESS = 50;
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final int GROWTH = 5;

    private SavepointDisposal() {}

    static RunningJob step(RunningJob runningJob) {
        if (log(runningJob.context()).history().isEmpty()) {
            return runningJob;
        }
        RunningJob settled = runningJob;
        for (SavedState state : log(runningJob.context()).history()) {
            Optional<DisposalStatus> disposal = state.disposal().filter(DisposalStatus::isUnderWay);
            if (disposal.isPresent()) {
                settled = answered(settled, state, disposal.get());
            }
        }
        boolean isBusy =
                log(settled.context()).history().stream().anyMatch(SavepointDisposal::isUnderWay);
        return isBusy ? settled : next(settled);
    }

    private static RunningJob next(RunningJob runningJob) {
        StepContext context = runningJob.context();
        SavepointRetention retention = SavepointRetention.of(context, runningJob.options());
        List<SavedState> overdue = retention.overdue(log(context).history());
        if (!retention.disposes()) {
            return overdue.isEmpty()
                    ? runningJob
                    : runningJob.withContext(without(context, overdue));
        }
        List<SavedState> hopeless = overdue.stream().filter(SavepointDisposal::isHopeless).toList();
        if (hopeless.size() > MOST_HOPELESS) {
            return runningJob.withContext(forgotten(context, hopeless.getFirst()));
        }
        return overdue.stream()
                .filter(state -> isTime(context, state))
                .findFirst()
                .map(state -> begin(runningJob, state))
                .orElse(runningJob);
    }

    /** So that a status does not grow for ever where nothing can be deleted. */
    private static StepContext forgotten(StepContext context, SavedState state) {
        String location = state.location().orElse("");
        return without(context, List.of(state))
                .withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.SAVEPOINT_ERROR,
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

    private static RunningJob begin(RunningJob runningJob, SavedState state) {
        StepContext context = runningJob.context();
        int tries = state.disposal().map(DisposalStatus::tries).orElse(0) + 1;
        SavedState next =
                state.disposedBy(
                        new DisposalStatus(context.observed().now(), tries, Optional.empty()));
        return runningJob
                .withContext(replacing(context, state, next))
                .doing(new Action.DisposeSavepoint(state.location().orElse("")))
                .within(context.soon());
    }

    private static RunningJob answered(
            RunningJob runningJob, SavedState state, DisposalStatus disposal) {
        StepContext context = runningJob.context();
        String location = state.location().orElse("");
        return switch (context.observed().run().disposal(location)) {
            case DisposalResult.Deleted _ ->
                    runningJob.withContext(without(context, List.of(state)));
            case DisposalResult.Failed(var message) ->
                    runningJob.withContext(failed(context, state, disposal, message));
            case DisposalResult.Pending _ -> runningJob.within(context.soon());
            case DisposalResult.Silent _ -> runningJob.within(context.soon());
            case DisposalResult.Unknown _ -> again(runningJob, location);
            case DisposalResult.NotAsked _ -> again(runningJob, location);
        };
    }

    /** Deleting what is gone is no harm; but what is needed by now is not asked for again. */
    private static RunningJob again(RunningJob runningJob, String location) {
        RunningJob waiting = runningJob.within(runningJob.context().soon());
        return SavepointRetention.of(runningJob.context(), runningJob.options()).spares(location)
                ? waiting
                : waiting.doing(new Action.DisposeSavepoint(location));
    }

    private static StepContext failed(
            StepContext context, SavedState state, DisposalStatus disposal, String message) {
        String why = Redaction.of(context.running().configuration()).apply(message);
        StepContext next = replacing(context, state, state.disposedBy(disposal.failing(why)));
        String location = state.location().orElse("");
        return disposal.tries() > 1
                ? next
                : next.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.SAVEPOINT_ERROR,
                                "disposal " + location,
                                "Savepoint "
                                        + location
                                        + " is due to be deleted, and could not be: "
                                        + why
                                        + "; it stays in status.jobStatus.savepointInfo and is"
                                        + " tried again a few times, then delete it by hand"));
    }

    /** Never tried, or the pause after a failed try is over: 1 min, then five times as long. */
    private static boolean isTime(StepContext context, SavedState state) {
        return state.disposal()
                .map(
                        failed ->
                                failed.tries() < MOST_TRIES
                                        && !context.observed()
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

    private static StepContext replacing(StepContext context, SavedState before, SavedState after) {
        List<SavedState> history = new ArrayList<>(log(context).history());
        history.replaceAll(state -> state.equals(before) ? after : state);
        return logging(context, history);
    }

    private static StepContext without(StepContext context, List<SavedState> gone) {
        List<SavedState> history = new ArrayList<>(log(context).history());
        history.removeAll(gone);
        return logging(context, history);
    }

    private static StepContext logging(StepContext context, List<SavedState> history) {
        StateLog next = log(context).withHistory(history);
        return context.withDraft(draft -> draft.withLog(draft.job().log().withSavepoints(next)));
    }

    private static StateLog log(StepContext context) {
        return context.draft().job().log().savepoints();
    }
}
