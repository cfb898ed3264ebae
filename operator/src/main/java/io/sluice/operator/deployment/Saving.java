// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.SavedState;
import io.sluice.api.StateKind;
import io.sluice.api.StateLog;
import io.sluice.api.StateTrigger;
import io.sluice.api.TriggerType;
import io.sluice.rules.config.Redaction;
import java.time.Duration;
import java.util.Optional;

/**
 * A savepoint or checkpoint of a job that runs on. Each try is recorded under a name of its own
 * before Flink hears of it, so that a pass that read late can't ask twice.
 *
 * <pre>
 *   due ─▶ recorded, asked for ─▶ made ─▶ recorded
 *               ├── failed soon, or nobody knows of it ─▶ asked for anew
 *               ├── the job runs no more ─▶ asked for anew once it does
 *               └── failed late, or too often ─▶ told; a nonce counts as done
 * </pre>
 */
final class Saving {
    static final int MOST_TRIES = 5;
    private static final Duration DEFAULT_GRACE = Duration.ofMinutes(1);

    private Saving() {}

    /** All tasks of the job run. */
    static Upkeep step(Upkeep upkeep, StateKind kind) {
        Pass pass = upkeep.pass();
        Optional<StateTrigger> trigger = log(pass, kind).trigger();
        if (trigger.isEmpty()) {
            return due(upkeep, kind);
        }
        return trigger.get().isUnderWay()
                ? answered(upkeep, kind, trigger.get())
                : resumed(upkeep, kind, trigger.get());
    }

    /**
     * The job does not run: what was asked of it comes to nothing, unless it was made just before.
     *
     * @param isOver whether the job has ended, and will never tell
     */
    static Pass interrupted(Pass pass, boolean isOver) {
        Pass next = pass;
        for (StateKind kind : StateKind.values()) {
            Optional<StateTrigger> trigger =
                    log(next, kind).trigger().filter(StateTrigger::isUnderWay);
            if (trigger.isPresent()) {
                next = interrupted(next, kind, trigger.get(), isOver);
            }
        }
        return next;
    }

    private static Pass interrupted(
            Pass pass, StateKind kind, StateTrigger trigger, boolean isOver) {
        return switch (pass.snapshot().run().of(kind)) {
            case Answer.Done(var location) -> made(pass, kind, trigger, location);
            case Answer.Failed(var message) -> dropped(pass, kind, trigger, message);
            case Answer.Unknown _ -> dropped(pass, kind, trigger, "");
            case Answer.Pending _ -> isOver ? dropped(pass, kind, trigger, "") : pass;
            case Answer.Silent _ -> isOver ? dropped(pass, kind, trigger, "") : pass;
            case Answer.NotAsked _ -> isOver ? dropped(pass, kind, trigger, "") : pass;
        };
    }

    /** The job is about to be replaced; what was asked of it is told to have come to nothing. */
    static Pass abandoned(Pass pass) {
        Pass told = interrupted(pass, true);
        var log = told.draft().job().log();
        return told.with(told.draft().with(log.beginning()));
    }

    /** The job was stopped with a savepoint, which is kept track of like any other. */
    static Pass stoppedWith(Pass pass, String location) {
        SavedState state =
                new SavedState(
                        pass.snapshot().now(),
                        Optional.of(location),
                        TriggerType.UPGRADE,
                        StopOptions.of(pass).format().name(),
                        Optional.empty(),
                        Optional.empty());
        Pass clean = abandoned(pass);
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
    static boolean holdsUpUpgrades(Pass pass) {
        return log(pass, StateKind.SAVEPOINT).isUnderWay()
                && pass.stopUnderWay().isEmpty()
                && pass.snapshot().job() instanceof JobView.Seen seen
                && seen.isUp()
                && !pass.running()
                        .flag("kubernetes.operator.job.upgrade.ignore-pending-savepoint", false);
    }

    private static Upkeep due(Upkeep upkeep, StateKind kind) {
        Pass pass = upkeep.pass();
        Optional<Due> due = Due.of(pass, kind, upkeep.options());
        if (due.isPresent()) {
            return begin(upkeep, kind, due.get());
        }
        return Due.until(pass, kind, upkeep.options()).map(upkeep::within).orElse(upkeep);
    }

    private static Upkeep begin(Upkeep upkeep, StateKind kind, Due due) {
        Pass pass = upkeep.pass();
        StateTrigger none =
                new StateTrigger(
                        Optional.empty(),
                        pass.snapshot().now(),
                        due.type(),
                        SavingRequest.format(pass.running(), kind),
                        due.nonce(),
                        0,
                        pass.snapshot().now());
        StateLog log = log(pass, kind);
        Pass fired = due.fire().map(fire -> logging(pass, kind, log.firedAt(fire))).orElse(pass);
        Optional<String> obstacle = SavingRequest.obstacle(pass, kind);
        if (obstacle.isPresent()) {
            return upkeep.with(failed(fired, kind, none, obstacle.get()));
        }
        return asking(upkeep.with(fired), kind, none);
    }

    private static Upkeep answered(Upkeep upkeep, StateKind kind, StateTrigger trigger) {
        Pass pass = upkeep.pass();
        return switch (pass.snapshot().run().of(kind)) {
            case Answer.NotAsked _ -> upkeep.within(pass.soon());
            case Answer.Silent _ -> upkeep.within(pass.soon());
            case Answer.Pending _ -> upkeep.within(pass.soon());
            case Answer.Done(var location) ->
                    upkeep.with(made(pass, kind, trigger, location)).within(pass.soon());
            case Answer.Failed(var message) ->
                    isLate(pass, kind, trigger)
                            ? upkeep.with(failed(pass, kind, trigger, message))
                            : anew(upkeep, kind, trigger, message);
            case Answer.Unknown _ ->
                    anew(upkeep, kind, trigger, "the JobManager does not know of it any more");
        };
    }

    /** The job runs again. */
    private static Upkeep resumed(Upkeep upkeep, StateKind kind, StateTrigger trigger) {
        boolean isWanted =
                trigger.nonce().map(nonce -> Due.isWanted(upkeep.pass(), kind, nonce)).orElse(true);
        if (isWanted) {
            return anew(upkeep, kind, trigger, "the job did not run on");
        }
        StateLog log = log(upkeep.pass(), kind).withoutTrigger();
        return due(upkeep.with(logging(upkeep.pass(), kind, log)), kind);
    }

    private static Upkeep anew(
            Upkeep upkeep, StateKind kind, StateTrigger trigger, String message) {
        return trigger.tries() >= MOST_TRIES
                ? upkeep.with(failed(upkeep.pass(), kind, trigger, message))
                : asking(upkeep, kind, trigger);
    }

    private static Upkeep asking(Upkeep upkeep, StateKind kind, StateTrigger before) {
        Pass pass = upkeep.pass();
        StateTrigger next = before.again(Attempt.saving(pass, kind, before), pass.snapshot().now());
        return upkeep.with(logging(pass, kind, log(pass, kind).asking(next)))
                .doing(SavingRequest.action(pass, kind, next))
                .within(pass.soon());
    }

    private static boolean isLate(Pass pass, StateKind kind, StateTrigger trigger) {
        String key =
                switch (kind) {
                    case SAVEPOINT -> "kubernetes.operator.savepoint.trigger.grace-period";
                    case CHECKPOINT -> "kubernetes.operator.checkpoint.trigger.grace-period";
                };
        Duration grace = pass.running().duration(key, DEFAULT_GRACE);
        return !pass.snapshot().now().isBefore(trigger.since().plus(grace));
    }

    private static Pass made(
            Pass pass, StateKind kind, StateTrigger trigger, Optional<String> location) {
        SavedState state =
                new SavedState(
                        pass.snapshot().now(),
                        location,
                        trigger.type(),
                        trigger.format(),
                        trigger.nonce(),
                        Optional.empty());
        Pass done = logging(pass, kind, log(pass, kind).made(state));
        String where = location.map(path -> ": " + path).orElse("");
        return counting(done, kind, trigger)
                .telling(
                        Note.normal(
                                "Operator",
                                title(kind),
                                trigger.id().orElse(""),
                                title(kind) + " for " + trigger.cause(kind) + " made" + where));
    }

    private static Pass failed(Pass pass, StateKind kind, StateTrigger trigger, String message) {
        String why =
                title(kind)
                        + " for "
                        + trigger.cause(kind)
                        + " failed: "
                        + Redaction.of(pass.running().configuration()).apply(message)
                        + trigger.nonce()
                                .map(_ -> "; change spec.job." + kind.nonce() + " to try again")
                                .orElse("; the next one comes at its time");
        Pass done = logging(pass, kind, log(pass, kind).failed(why));
        return counting(done, kind, trigger).telling(error(kind, trigger, why));
    }

    /** The nonce stays undone: it is asked for again when the job runs. */
    private static Pass dropped(Pass pass, StateKind kind, StateTrigger trigger, String message) {
        String why =
                title(kind)
                        + " for "
                        + trigger.cause(kind)
                        + " came to nothing, as the job did not run on; it is asked for again when"
                        + " the job runs. "
                        + Redaction.of(pass.running().configuration()).apply(message);
        StateLog log = log(pass, kind).asking(trigger.dropped());
        return logging(pass, kind, log).telling(error(kind, trigger, why.strip()));
    }

    private static Note error(StateKind kind, StateTrigger trigger, String why) {
        String key = trigger.id().orElseGet(() -> trigger.since() + trigger.cause(kind));
        return Note.warning("Operator", title(kind) + "Error", key, why);
    }

    /** The nonce counts as done from here on. */
    private static Pass counting(Pass pass, StateKind kind, StateTrigger trigger) {
        return Due.nonce(pass, kind, trigger)
                .map(nonce -> pass.answering(kind, nonce))
                .orElse(pass);
    }

    private static StateLog log(Pass pass, StateKind kind) {
        return pass.draft().job().log().of(kind);
    }

    private static Pass logging(Pass pass, StateKind kind, StateLog next) {
        return pass.with(pass.draft().with(pass.draft().job().log().with(kind, next)));
    }

    private static String title(StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> "Savepoint";
            case CHECKPOINT -> "Checkpoint";
        };
    }
}
