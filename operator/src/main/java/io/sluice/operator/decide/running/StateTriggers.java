// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Redaction;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.rules.config.option.SnapshotOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * A savepoint or checkpoint of a job that runs on. Each try is recorded under a name of its own
 * before Flink hears of it, so that a reconciliation that read late can't ask twice.
 *
 * <pre>
 *   due ─▶ recorded, asked for ─▶ made ─▶ recorded
 *               ├── failed soon, or nobody knows of it ─▶ asked for anew
 *               ├── the job runs no more ─▶ asked for anew once it does
 *               └── failed late, or too often ─▶ told; a nonce counts as done
 * </pre>
 *
 * A request that a FlinkStateSnapshot carries is followed by {@link SnapshotRequests}.
 */
public final class StateTriggers {
    static final int MOST_TRIES = 5;

    private StateTriggers() {}

    /** All tasks of the job run. */
    static RunningJob step(RunningJob runningJob, StateKind kind) {
        StepContext context = runningJob.context();
        Optional<StateTrigger> trigger = log(context, kind).trigger();
        if (trigger.isEmpty()) {
            return due(runningJob, kind);
        }
        if (trigger.get().snapshot().isPresent()) {
            return SnapshotRequests.followed(runningJob, kind, trigger.get());
        }
        return trigger.get().isUnderWay()
                ? answered(runningJob, kind, trigger.get())
                : resumed(runningJob, kind, trigger.get());
    }

    /**
     * The job does not run: what was asked of it comes to nothing, unless it was made just before.
     *
     * @param isOver whether the job has ended, and will never tell
     */
    public static StepContext withInterruptedTriggers(StepContext context, boolean isOver) {
        StepContext next = context;
        for (StateKind kind : StateKind.values()) {
            Optional<StateTrigger> trigger =
                    log(next, kind).trigger().filter(it -> it.id().isPresent());
            if (trigger.isPresent()) {
                next = withInterruptedTriggers(next, kind, trigger.get(), isOver);
            }
        }
        return next;
    }

    private static StepContext withInterruptedTriggers(
            StepContext context, StateKind kind, StateTrigger trigger, boolean isOver) {
        return switch (context.observed().run().of(kind)) {
            case AsyncResult.Done(var location) -> made(context, kind, trigger, location);
            case AsyncResult.NotKept _ -> made(context, kind, trigger, Optional.empty());
            case AsyncResult.Failed(var message) -> dropped(context, kind, trigger, message);
            case AsyncResult.Unknown _ -> dropped(context, kind, trigger, "");
            case AsyncResult.Pending _ -> isOver ? dropped(context, kind, trigger, "") : context;
            case AsyncResult.Silent _ -> isOver ? dropped(context, kind, trigger, "") : context;
            case AsyncResult.NotAsked _ -> isOver ? dropped(context, kind, trigger, "") : context;
        };
    }

    /** The job is about to be replaced; what was asked of it is told to have come to nothing. */
    public static StepContext withoutTriggers(StepContext context) {
        StepContext told = withInterruptedTriggers(context, true);
        return told.withDraft(draft -> draft.withLog(draft.job().log().ofNewAttempt()));
    }

    /** The job was stopped with a savepoint, which is kept track of like any other. */
    public static StepContext withSavepointOfStop(StepContext context, String location) {
        if (SnapshotRequests.areUsed(context)) {
            return SnapshotRequests.withSavepointOfStop(withoutTriggers(context), location);
        }
        SavedState state =
                new SavedState(
                        context.observed().now(),
                        Optional.of(location),
                        TriggerType.UPGRADE,
                        SavepointOptions.of(context).format().name(),
                        Optional.empty(),
                        Optional.empty());
        StepContext clean = withoutTriggers(context);
        boolean isKnown =
                log(clean, StateKind.SAVEPOINT)
                        .last()
                        .flatMap(SavedState::location)
                        .filter(location::equals)
                        .isPresent();
        return isKnown
                ? clean
                : logging(clean, StateKind.SAVEPOINT, log(clean, StateKind.SAVEPOINT).made(state));
    }

    /**
     * Whether an upgrade waits until a savepoint that is under way has come to its end. Nobody
     * looks after it any more once the job's end is asked for.
     */
    public static boolean holdsUpUpgrades(StepContext context) {
        boolean isMade =
                log(context, StateKind.SAVEPOINT)
                                .trigger()
                                .filter(it -> it.id().isPresent())
                                .isPresent()
                        || SnapshotRequests.areInProgress(context);
        return isMade
                && context.stopUnderWay().isEmpty()
                && context.observed().job() instanceof JobView.Seen seen
                && seen.isUp()
                && !context.running().get(LifecycleOptions.IGNORE_PENDING_SAVEPOINT);
    }

    private static RunningJob due(RunningJob runningJob, StateKind kind) {
        StepContext context = runningJob.context();
        Optional<TriggerSchedule> due = TriggerSchedule.of(context, kind, runningJob.options());
        if (due.isPresent()) {
            return begin(runningJob, kind, due.get());
        }
        RunningJob counted = countingFromFormerOperator(runningJob, kind);
        return TriggerSchedule.until(context, kind, runningJob.options())
                .map(counted::within)
                .orElse(counted);
    }

    /** The next periodic one is counted from the last one of the operator before. */
    private static RunningJob countingFromFormerOperator(RunningJob runningJob, StateKind kind) {
        StepContext context = runningJob.context();
        return TriggerSchedule.ofFormerOperator(context, kind)
                .map(last -> log(context, kind).withLastPeriodic(Optional.of(last)))
                .map(log -> runningJob.withContext(logging(context, kind, log)))
                .orElse(runningJob);
    }

    private static RunningJob begin(RunningJob runningJob, StateKind kind, TriggerSchedule due) {
        StepContext context = runningJob.context();
        StateTrigger none =
                new StateTrigger(
                        Optional.empty(),
                        context.observed().now(),
                        due.type(),
                        TriggerRequests.format(context.running(), kind),
                        due.nonce(),
                        0,
                        context.observed().now());
        StateLog log = log(context, kind);
        StepContext fired =
                due.fire().isPresent()
                        ? logging(context, kind, log.withLastPeriodic(due.fire()))
                        : context;
        Optional<String> obstacle = TriggerRequests.obstacle(context, kind);
        if (obstacle.isPresent()) {
            return runningJob.withContext(failed(fired, kind, none, obstacle.get()));
        }
        return SnapshotRequests.areUsed(context)
                ? SnapshotRequests.recorded(runningJob.withContext(fired), kind, none)
                : asking(runningJob.withContext(fired), kind, none);
    }

    private static RunningJob answered(
            RunningJob runningJob, StateKind kind, StateTrigger trigger) {
        StepContext context = runningJob.context();
        return switch (context.observed().run().of(kind)) {
            case AsyncResult.NotAsked _ -> runningJob.within(context.soon());
            case AsyncResult.Silent _ -> runningJob.within(context.soon());
            case AsyncResult.Pending _ -> runningJob.within(context.soon());
            case AsyncResult.Done(var location) ->
                    runningJob
                            .withContext(made(context, kind, trigger, location))
                            .within(context.soon());
            case AsyncResult.NotKept _ ->
                    runningJob
                            .withContext(made(context, kind, trigger, Optional.empty()))
                            .within(context.soon());
            case AsyncResult.Failed(var message) ->
                    isLate(context, kind, trigger)
                            ? runningJob.withContext(failed(context, kind, trigger, message))
                            : anew(runningJob, kind, trigger, message);
            case AsyncResult.Unknown _ ->
                    anew(runningJob, kind, trigger, "the JobManager no longer knows it");
        };
    }

    /** The job runs again. */
    private static RunningJob resumed(RunningJob runningJob, StateKind kind, StateTrigger trigger) {
        boolean isWanted =
                trigger.nonce()
                        .map(nonce -> TriggerSchedule.isWanted(runningJob.context(), kind, nonce))
                        .orElse(true);
        if (isWanted) {
            return anew(runningJob, kind, trigger, "the job stopped running");
        }
        StateLog log = log(runningJob.context(), kind).withTrigger(Optional.empty());
        return due(runningJob.withContext(logging(runningJob.context(), kind, log)), kind);
    }

    private static RunningJob anew(
            RunningJob runningJob, StateKind kind, StateTrigger trigger, String message) {
        return trigger.tries() >= MOST_TRIES
                ? runningJob.withContext(failed(runningJob.context(), kind, trigger, message))
                : asking(runningJob, kind, trigger);
    }

    private static RunningJob asking(RunningJob runningJob, StateKind kind, StateTrigger before) {
        StepContext context = runningJob.context();
        StateTrigger next =
                before.again(AttemptIds.saving(context, kind, before), context.observed().now());
        return runningJob
                .withContext(
                        logging(context, kind, log(context, kind).withTrigger(Optional.of(next))))
                .doing(TriggerRequests.action(context, kind, next))
                .within(context.soon());
    }

    static boolean isLate(StepContext context, StateKind kind, StateTrigger trigger) {
        Duration grace =
                context.running()
                        .get(
                                switch (kind) {
                                    case SAVEPOINT -> SnapshotOptions.SAVEPOINT_GRACE_PERIOD;
                                    case CHECKPOINT -> SnapshotOptions.CHECKPOINT_GRACE_PERIOD;
                                });
        return !context.observed().now().isBefore(trigger.since().plus(grace));
    }

    private static StepContext made(
            StepContext context, StateKind kind, StateTrigger trigger, Optional<String> location) {
        SavedState state =
                new SavedState(
                        context.observed().now(),
                        location,
                        trigger.type(),
                        trigger.format(),
                        trigger.nonce(),
                        Optional.empty());
        StepContext done = logging(context, kind, log(context, kind).made(state));
        String where = location.map(path -> ": " + path).orElse("");
        return withMadeEvent(counting(done, kind, trigger), kind, trigger, where);
    }

    /**
     * @param where what follows that it was made
     */
    static StepContext withMadeEvent(
            StepContext context, StateKind kind, StateTrigger trigger, String where) {
        return context.withEvent(
                ResourceEvent.of(
                        "Operator",
                        switch (kind) {
                            case SAVEPOINT -> OperatorEvent.SAVEPOINT;
                            case CHECKPOINT -> OperatorEvent.CHECKPOINT;
                        },
                        key(kind, trigger),
                        title(kind) + " for " + trigger.cause(kind) + " made" + where));
    }

    static StepContext failed(
            StepContext context, StateKind kind, StateTrigger trigger, String message) {
        String why =
                title(kind)
                        + " for "
                        + trigger.cause(kind)
                        + " failed: "
                        + Redaction.of(context.running().configuration()).apply(message)
                        + trigger.nonce()
                                .map(_ -> "; change spec.job." + kind.nonce() + " to try again")
                                .orElse("; the next one comes at its time");
        StepContext done = logging(context, kind, log(context, kind).failed(why));
        return counting(done, kind, trigger).withEvent(error(kind, trigger, why));
    }

    /** The nonce stays undone: it is asked for again when the job runs. */
    private static StepContext dropped(
            StepContext context, StateKind kind, StateTrigger trigger, String message) {
        String why =
                title(kind)
                        + " for "
                        + trigger.cause(kind)
                        + " failed, because the job stopped running; it is requested again when the"
                        + " job runs. "
                        + Redaction.of(context.running().configuration()).apply(message);
        StateLog log = log(context, kind).withTrigger(Optional.of(trigger.dropped()));
        return logging(context, kind, log).withEvent(error(kind, trigger, why.strip()));
    }

    private static ResourceEvent error(StateKind kind, StateTrigger trigger, String why) {
        OperatorEvent event =
                switch (kind) {
                    case SAVEPOINT -> OperatorEvent.SAVEPOINT_ERROR;
                    case CHECKPOINT -> OperatorEvent.CHECKPOINT_ERROR;
                };
        return ResourceEvent.of("Operator", event, key(kind, trigger), why);
    }

    private static String key(StateKind kind, StateTrigger trigger) {
        return trigger.id().orElseGet(() -> trigger.since() + trigger.cause(kind));
    }

    /** The nonce counts as done from here on. */
    static StepContext counting(StepContext context, StateKind kind, StateTrigger trigger) {
        return TriggerSchedule.nonce(context, kind, trigger)
                .map(nonce -> context.withAnsweredNonce(kind, nonce))
                .orElse(context);
    }

    static StateLog log(StepContext context, StateKind kind) {
        return context.draft().job().log().of(kind);
    }

    static StepContext logging(StepContext context, StateKind kind, StateLog next) {
        return context.withDraft(draft -> draft.withLog(draft.job().log().with(kind, next)));
    }

    private static String title(StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> "Savepoint";
            case CHECKPOINT -> "Checkpoint";
        };
    }
}
