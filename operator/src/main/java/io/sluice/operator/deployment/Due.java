// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkVersion;
import io.sluice.api.StateKind;
import io.sluice.api.StateTrigger;
import io.sluice.api.TriggerType;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a savepoint or checkpoint is to be made now, and why: the one place that says so, for
 * whatever form the request then takes.
 *
 * @param nonce what the user changed, if that is why
 * @param fire the time it was due at, if it is a periodic one
 */
record Due(TriggerType type, Optional<Long> nonce, Optional<Instant> fire) {
    /** A nonce goes before a time; one that is not set asks for nothing. */
    static Optional<Due> of(Pass pass, StateKind kind, Options options) {
        return manual(pass, kind).or(() -> periodic(pass, kind, options));
    }

    /** Whether {@code nonce} is still what the user asks for. */
    static boolean isWanted(Pass pass, StateKind kind, long nonce) {
        return asked(pass, kind).filter(number -> number == nonce).isPresent();
    }

    /**
     * The nonce that {@code trigger} answers; another operator keeps none, and means the current.
     */
    static Optional<Long> nonce(Pass pass, StateKind kind, StateTrigger trigger) {
        boolean isManual = trigger.type() == TriggerType.MANUAL;
        return trigger.nonce().or(() -> isManual ? asked(pass, kind) : Optional.empty());
    }

    /** In how long the next periodic one comes; empty if none does. */
    static Optional<Duration> until(Pass pass, StateKind kind, Options options) {
        Instant now = pass.snapshot().now();
        return schedule(pass, kind, options)
                .flatMap(schedule -> schedule.next(last(pass, kind), now))
                .map(next -> Duration.between(now, next));
    }

    /** Checkpoints can be asked for since Flink 1.17. */
    static boolean isSupported(Pass pass, StateKind kind) {
        return switch (kind) {
            case SAVEPOINT -> true;
            case CHECKPOINT ->
                    pass.spec()
                            .flinkVersion()
                            .filter(version -> !version.isAtLeast(FlinkVersion.V1_17))
                            .isEmpty();
        };
    }

    private static Optional<Due> manual(Pass pass, StateKind kind) {
        Optional<Long> done =
                Optional.of(pass.wanted().spec().path("job").path(kind.nonce()))
                        .filter(node -> node.canConvertToLong())
                        .map(node -> node.longValue());
        return asked(pass, kind)
                .filter(nonce -> !done.equals(Optional.of(nonce)))
                .map(nonce -> new Due(TriggerType.MANUAL, Optional.of(nonce), Optional.empty()));
    }

    private static Optional<Due> periodic(Pass pass, StateKind kind, Options options) {
        return schedule(pass, kind, options)
                .flatMap(schedule -> schedule.due(last(pass, kind), pass.snapshot().now()))
                .map(fire -> new Due(TriggerType.PERIODIC, Optional.empty(), Optional.of(fire)));
    }

    private static Optional<Long> asked(Pass pass, StateKind kind) {
        return pass.spec()
                .job()
                .flatMap(
                        job ->
                                switch (kind) {
                                    case SAVEPOINT -> job.savepointTriggerNonce();
                                    case CHECKPOINT -> job.checkpointTriggerNonce();
                                });
    }

    private static Optional<Schedule> schedule(Pass pass, StateKind kind, Options options) {
        return isSupported(pass, kind)
                ? options.text("kubernetes.operator.periodic." + kind.word() + ".interval")
                        .flatMap(Schedule::parse)
                : Optional.empty();
    }

    /** Counted from the resource's creation at the earliest. */
    private static Instant last(Pass pass, StateKind kind) {
        Instant created = pass.snapshot().run().created();
        return pass.draft()
                .job()
                .log()
                .of(kind)
                .lastPeriodic()
                .filter(created::isBefore)
                .orElse(created);
    }
}
