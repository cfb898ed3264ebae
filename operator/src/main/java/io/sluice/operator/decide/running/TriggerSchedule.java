// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SnapshotOptions;
import io.sluice.rules.config.value.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a savepoint or checkpoint is to be made now, and why, whatever form the request
 * then takes.
 *
 * @param nonce what the user changed, if that is why
 * @param fire the time it was due at, if it is a periodic one
 */
public record TriggerSchedule(TriggerType type, Optional<Long> nonce, Optional<Instant> fire) {
    /** A nonce goes before a time; one that is not set asks for nothing. */
    static Optional<TriggerSchedule> of(StepContext context, StateKind kind, Options options) {
        return manual(context, kind).or(() -> periodic(context, kind, options));
    }

    /** Whether {@code nonce} is still what the user asks for. */
    static boolean isWanted(StepContext context, StateKind kind, long nonce) {
        return asked(context, kind).filter(number -> number == nonce).isPresent();
    }

    /**
     * The nonce that {@code trigger} answers; another operator keeps none, and means the current.
     */
    static Optional<Long> nonce(StepContext context, StateKind kind, StateTrigger trigger) {
        boolean isManual = trigger.type() == TriggerType.MANUAL;
        return trigger.nonce().or(() -> isManual ? asked(context, kind) : Optional.empty());
    }

    /** The time until the next periodic one; empty if there is none. */
    public static Optional<Duration> until(StepContext context, StateKind kind, Options options) {
        Instant now = context.observed().now();
        return schedule(context, kind, options)
                .flatMap(schedule -> schedule.next(last(context, kind), now))
                .map(next -> Duration.between(now, next));
    }

    /** Checkpoints can be asked for since Flink 1.17. */
    static boolean isSupported(StepContext context, StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> true;
            case CHECKPOINT ->
                    context.spec()
                            .flinkVersion()
                            .filter(version -> !version.isAtLeast(FlinkVersion.V1_17))
                            .isEmpty();
        };
    }

    private static Optional<TriggerSchedule> manual(StepContext context, StateKind kind) {
        Optional<Long> done =
                Optional.of(context.wanted().spec().path("job").path(kind.nonce()))
                        .filter(node -> node.canConvertToLong())
                        .map(node -> node.longValue());
        return asked(context, kind)
                .filter(nonce -> !done.equals(Optional.of(nonce)))
                .map(
                        nonce ->
                                new TriggerSchedule(
                                        TriggerType.MANUAL, Optional.of(nonce), Optional.empty()));
    }

    private static Optional<TriggerSchedule> periodic(
            StepContext context, StateKind kind, Options options) {
        return schedule(context, kind, options)
                .flatMap(schedule -> schedule.due(last(context, kind), context.observed().now()))
                .map(
                        fire ->
                                new TriggerSchedule(
                                        TriggerType.PERIODIC, Optional.empty(), Optional.of(fire)));
    }

    private static Optional<Long> asked(StepContext context, StateKind kind) {
        return context.spec()
                .job()
                .flatMap(
                        job ->
                                switch (kind) {
                                    case SAVEPOINT -> job.savepointTriggerNonce();
                                    case CHECKPOINT -> job.checkpointTriggerNonce();
                                });
    }

    private static Optional<Schedule> schedule(
            StepContext context, StateKind kind, Options options) {
        return isSupported(context, kind)
                ? options.get(SnapshotOptions.interval(kind))
                : Optional.empty();
    }

    /** The last periodic one that another operator has requested as a FlinkStateSnapshot. */
    static Optional<Instant> ofFormerOperator(StepContext context, StateKind kind) {
        return Optional.ofNullable(context.observed().run().snapshots().lastPeriodic().get(kind));
    }

    /** Counted from the resource's creation at the earliest. */
    private static Instant last(StepContext context, StateKind kind) {
        Instant created = context.observed().run().created();
        return context.draft()
                .job()
                .log()
                .of(kind)
                .lastPeriodic()
                .or(() -> ofFormerOperator(context, kind))
                .filter(created::isBefore)
                .orElse(created);
    }
}
