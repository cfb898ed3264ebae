// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotAttempt;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A try that failed, and when the next one is due. What it needs to know is in the status. */
final class SnapshotFailure {
    private static final int MOST_RESTARTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final int MOST_DOUBLINGS = 6;

    private SnapshotFailure() {}

    /** Whether so many tries in a row made the job restart that no more are made. */
    static boolean restartsJob(FlinkStateSnapshotStatus status) {
        return status.attempt().restarts() >= MOST_RESTARTS;
    }

    /** Whether no try is left. */
    static boolean isOverLimit(FlinkStateSnapshotSpec spec, FlinkStateSnapshotStatus status) {
        return spec.backoffLimit() >= 0 && status.failures() > spec.backoffLimit();
    }

    /** When the next try is due; empty if it may come at once. */
    static Optional<Instant> nextTry(FlinkStateSnapshotStatus status) {
        return status.resultTimestamp()
                .filter(_ -> status.failures() > 0)
                .map(last -> last.plus(pause(status.failures())));
    }

    /** Flink says that it has failed, or has said too often that it knows nothing of it. */
    static SnapshotDecision failed(SnapshotDraft draft, String message) {
        FlinkStateSnapshotStatus before = draft.status();
        SnapshotAttempt attempt = before.attempt();
        int restarts =
                hasRestarted(draft.observed().target(), attempt)
                        .map(has -> has ? attempt.restarts() + 1 : 0)
                        .orElse(attempt.restarts());
        FlinkStateSnapshotStatus next =
                before.with()
                        .state(SnapshotState.TRIGGER_PENDING)
                        .failures(before.failures() + 1)
                        .resultTimestamp(Optional.of(draft.observed().now()))
                        .attempt(attempt.withRestarts(restarts))
                        .build();
        if (restartsJob(next)) {
            return over(draft, next, Reason.SNAPSHOT_RESTARTS_JOB, message);
        }
        if (isOverLimit(draft.observed().spec(), next)) {
            return over(draft, next, Reason.SNAPSHOT_FAILED, message);
        }
        SnapshotDraft told =
                draft.withStatus(
                                next.withError(
                                        Optional.of(
                                                SnapshotStatusRenderer.error(
                                                        Reason.SNAPSHOT_RETRYING, message))))
                        .withEvent(
                                SnapshotEvents.failed(
                                        draft.observed(),
                                        message
                                                + " It is tried again in "
                                                + pause(next.failures()).toSeconds()
                                                + " s."));
        return retrying(told);
    }

    /** Waits until the next try is due. */
    static SnapshotDecision retrying(SnapshotDraft draft) {
        Instant now = draft.observed().now();
        Instant due = nextTry(draft.status()).orElse(now);
        Duration wait = due.isAfter(now) ? Duration.between(now, due) : SnapshotDraft.SOON;
        return draft.decide(
                Reason.SNAPSHOT_RETRYING, "The next one is due at " + due + ".", Optional.of(wait));
    }

    /** The limit was lowered while the next try was waited for. */
    static SnapshotDecision noMore(SnapshotDraft draft) {
        return over(
                draft,
                draft.status(),
                Reason.SNAPSHOT_FAILED,
                "spec.backoffLimit is " + draft.observed().spec().backoffLimit() + " now.");
    }

    private static SnapshotDecision over(
            SnapshotDraft draft, FlinkStateSnapshotStatus next, Reason reason, String message) {
        return draft.withStatus(
                        next.with()
                                .state(SnapshotState.FAILED)
                                .error(Optional.of(SnapshotStatusRenderer.error(reason, message)))
                                .build())
                .withEvent(SnapshotEvents.failed(draft.observed(), message + " " + reason.text()))
                .atRest(reason, "");
    }

    /**
     * Whether Flink has restarted the job since it was asked; empty if nobody can tell. All tasks
     * ran then, so those that are deployed now were restarted. Flink's clock is compared with
     * itself only.
     */
    private static Optional<Boolean> hasRestarted(SnapshotTarget target, SnapshotAttempt attempt) {
        return switch (target) {
            case SnapshotTarget.Up(_, _, var lastChange) ->
                    Optional.of(
                            attempt.jobChange()
                                    .filter(before -> !before.equals(lastChange))
                                    .isPresent());
            case SnapshotTarget.Busy(var with) ->
                    switch (with) {
                        case RESTART, DEPLOYMENT -> Optional.of(true);
                        case UPGRADE, SILENCE, CLUSTER -> Optional.empty();
                    };
            case SnapshotTarget.NotRead _,
                    SnapshotTarget.Gone _,
                    SnapshotTarget.Leaving _,
                    SnapshotTarget.AtRest _,
                    SnapshotTarget.Ended _ ->
                    Optional.empty();
        };
    }

    private static Duration pause(int failures) {
        int doublings = Math.clamp(failures - 1L, 0, MOST_DOUBLINGS);
        Duration pause = FIRST_PAUSE.multipliedBy(1L << doublings);
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
