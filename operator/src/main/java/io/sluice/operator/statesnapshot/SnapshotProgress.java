// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotAttempt;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot that Flink was asked for. Silence is never a failure: nobody knows then whether the
 * snapshot is being made.
 */
final class SnapshotProgress {
    private static final int MOST_TRIES = 5;

    /** For so long Flink may know that a checkpoint is complete and not where it is. */
    private static final Duration UNNAMED = Duration.ofMinutes(1);

    private SnapshotProgress() {}

    static SnapshotDecision decide(SnapshotDraft draft) {
        if (draft.status().triggerId().isEmpty()) {
            return anew(draft, "no trigger id is on record");
        }
        return switch (draft.observed().answer()) {
            case AsyncResult.Done(var location) -> done(draft, location);
            case AsyncResult.NotKept(var why) -> notKept(draft, why);
            case AsyncResult.Failed(var message) -> SnapshotFailure.failed(draft, message);
            case AsyncResult.Pending _ -> pending(draft);
            case AsyncResult.Unknown _ -> unknown(draft);
            case AsyncResult.Silent _, AsyncResult.NotAsked _ -> silent(draft);
        };
    }

    /** The snapshot is there. */
    static SnapshotDecision completed(SnapshotDraft draft, String path) {
        return complete(draft, path).atRest(Reason.SNAPSHOT_COMPLETED, path);
    }

    static SnapshotDraft complete(SnapshotDraft draft, String path) {
        FlinkStateSnapshotStatus before = draft.status();
        return draft.withStatus(
                before.with()
                        .state(SnapshotState.COMPLETED)
                        .path(Optional.of(path))
                        .resultTimestamp(Optional.of(draft.observed().now()))
                        .error(Optional.empty())
                        .attempt(before.attempt().withUnnamedSince(Optional.empty()))
                        .build());
    }

    private static SnapshotDecision done(SnapshotDraft draft, Optional<String> location) {
        if (location.isPresent() || !draft.observed().spec().checkpoint()) {
            return completed(draft, location.orElse(""));
        }
        Instant now = draft.observed().now();
        SnapshotAttempt attempt = draft.status().attempt();
        Instant since = attempt.unnamedSince().orElse(now);
        return now.isBefore(since.plus(UNNAMED))
                ? draft.withStatus(
                                draft.status()
                                        .withAttempt(attempt.withUnnamedSince(Optional.of(since))))
                        .inProgress(Reason.SNAPSHOT_IN_PROGRESS, "")
                : completed(draft.withEvent(SnapshotEvents.unnamed(draft.observed())), "");
    }

    /** Nothing is to be waited for; only the reader of the status has to know. */
    private static SnapshotDecision notKept(SnapshotDraft draft, String why) {
        return complete(draft.withEvent(SnapshotEvents.notKept(draft.observed(), why)), "")
                .atRest(Reason.SNAPSHOT_COMPLETED, why);
    }

    /** Looks again the more seldom the longer it takes. */
    private static SnapshotDecision pending(SnapshotDraft draft) {
        Instant now = draft.observed().now();
        Instant since = draft.status().triggerTimestamp().orElse(now);
        return draft.decide(
                Reason.SNAPSHOT_IN_PROGRESS,
                "",
                Optional.of(draft.observed().polls().after(Duration.between(since, now))));
    }

    private static SnapshotDecision silent(SnapshotDraft draft) {
        return switch (draft.observed().target()) {
            case SnapshotTarget.Up up ->
                    isAnother(draft, up)
                            ? anew(draft, "another job runs in place of the one that was asked")
                            : pending(draft);
            case SnapshotTarget.Busy _, SnapshotTarget.NotRead _ -> pending(draft);
            case SnapshotTarget.Gone _ -> untilTooLate(draft, "the job's resource is gone");
            case SnapshotTarget.Leaving _ -> untilTooLate(draft, "the job is being deleted");
            case SnapshotTarget.AtRest _ -> untilTooLate(draft, "the job is suspended");
            case SnapshotTarget.Ended(var why) -> untilTooLate(draft, why);
        };
    }

    private static SnapshotDecision untilTooLate(SnapshotDraft draft, String why) {
        return draft.observed().now().isBefore(draft.observed().waitsUntil())
                ? pending(draft)
                : SnapshotTrigger.abandoned(draft, why);
    }

    private static SnapshotDecision unknown(SnapshotDraft draft) {
        return switch (draft.observed().target()) {
            case SnapshotTarget.Up up ->
                    isAnother(draft, up)
                            ? anew(draft, "another job runs in place of the one that was asked")
                            : again(draft);
            case SnapshotTarget.Busy _, SnapshotTarget.NotRead _ -> pending(draft);
            case SnapshotTarget.Gone _ ->
                    SnapshotTrigger.abandoned(draft, "the job's resource is gone");
            case SnapshotTarget.Leaving _ ->
                    SnapshotTrigger.abandoned(draft, "the job is being deleted");
            case SnapshotTarget.AtRest _ ->
                    SnapshotTrigger.abandoned(draft, "the job is suspended");
            case SnapshotTarget.Ended(var why) -> SnapshotTrigger.abandoned(draft, why);
        };
    }

    /** The request did not arrive, or the process of the JobManager that it went to is gone. */
    private static SnapshotDecision again(SnapshotDraft draft) {
        SnapshotAttempt attempt = draft.status().attempt();
        if (attempt.tries() >= MOST_TRIES) {
            return SnapshotFailure.failed(
                    draft, "The JobManager was asked several times and does not know the request.");
        }
        SnapshotObservedState observed = draft.observed();
        FlinkStateSnapshotStatus next =
                draft.status()
                        .withAttempt(
                                attempt.with()
                                        .jobId(attempt.jobId().or(() -> jobId(observed.target())))
                                        .tries(attempt.tries() + 1)
                                        .build());
        SnapshotDraft told =
                attempt.tries() == 0
                        ? draft.withEvent(
                                SnapshotEvents.askedAgain(
                                        observed,
                                        SnapshotTrigger.folder(observed)
                                                .filter(_ -> !observed.spec().checkpoint())))
                        : draft;
        return told.withStatus(next)
                .doing(SnapshotTrigger.ask(observed, next))
                .inProgress(Reason.SNAPSHOT_IN_PROGRESS, "");
    }

    /** Another job never was asked under the id on record; nothing has failed. */
    private static SnapshotDecision anew(SnapshotDraft draft, String why) {
        return draft.withStatus(draft.status().withState(SnapshotState.TRIGGER_PENDING))
                .decide(
                        Reason.SNAPSHOT_RETRYING,
                        SnapshotEvents.sentence(why),
                        Optional.of(SnapshotDraft.SOON));
    }

    /** No job is on record for a try of another operator: it counts as the resource's own job. */
    private static boolean isAnother(SnapshotDraft draft, SnapshotTarget.Up up) {
        return draft.status().attempt().jobId().filter(id -> !id.equals(up.jobId())).isPresent();
    }

    private static Optional<String> jobId(SnapshotTarget target) {
        return target instanceof SnapshotTarget.Up up ? Optional.of(up.jobId()) : Optional.empty();
    }
}
