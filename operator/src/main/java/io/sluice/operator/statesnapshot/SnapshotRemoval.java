// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.DisposalStatus;
import io.sluice.api.status.snapshot.SnapshotDeletion;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.Reason;
import io.sluice.operator.statesnapshot.SnapshotObservedState.Need;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The deletion of a snapshot. It ends within {@code kubernetes.operator.resource.cleanup.timeout}
 * after the operator began with it, whatever Flink says; and the files that a job needs are kept.
 *
 * <pre>
 *   nothing to dispose of ──────────────────────────────────────▶ released
 *   in progress ─▶ complete ─▶ needed by a job ─────────────────▶ released, files kept
 *                     └─▶ disposal recorded, asked for ─▶ gone ─▶ released
 *                               ▲ └─ failed ─┘ after a growing pause
 *   deadline ───────────────────────────────────────────────────▶ released, files told
 * </pre>
 */
final class SnapshotRemoval {
    private static final int GROWTH = 5;
    private static final int MOST_GROWTH = 8;

    private SnapshotRemoval() {}

    static SnapshotDecision decide(SnapshotDraft draft) {
        if (!draft.observed().disposes()) {
            return released(staying(draft));
        }
        return switch (draft.status().state()) {
            case TRIGGER_PENDING, FAILED, ABANDONED -> released(draft);
            case IN_PROGRESS -> inProgress(draft);
            case COMPLETED -> completed(draft, draft.status().path().orElse(""));
        };
    }

    /** A registered savepoint of no job has no JobManager that could delete it. */
    private static SnapshotDraft staying(SnapshotDraft draft) {
        return draft.observed().spec().isRegistration()
                ? draft.withEvent(
                        SnapshotEvents.kept(
                                draft.status().path().orElse(""), "it was only registered"))
                : draft;
    }

    private static SnapshotDecision inProgress(SnapshotDraft draft) {
        return switch (draft.observed().answer()) {
            case AsyncResult.Done(var location) ->
                    begin(SnapshotProgress.complete(draft, location.orElse("")))
                            .decide(Reason.SNAPSHOT_DISPOSING, "", Optional.of(SnapshotDraft.SOON));
            case AsyncResult.Failed _, AsyncResult.NotKept _ -> released(draft);
            case AsyncResult.Unknown _ ->
                    released(draft.withEvent(SnapshotEvents.leftInProgress(draft.observed())));
            case AsyncResult.Pending _, AsyncResult.Silent _, AsyncResult.NotAsked _ ->
                    isOverdue(draft)
                            ? givenUp(
                                    draft.withEvent(
                                            SnapshotEvents.leftInProgress(draft.observed())))
                            : waiting(draft);
        };
    }

    private static SnapshotDecision completed(SnapshotDraft draft, String path) {
        if (path.isEmpty()) {
            return released(draft);
        }
        if (draft.observed().disposal() instanceof DisposalResult.Deleted
                && draft.status().deletion().flatMap(SnapshotDeletion::disposal).isPresent()) {
            return released(draft);
        }
        return switch (draft.observed().need()) {
            case Need.Needed(var by) -> released(draft.withEvent(SnapshotEvents.kept(path, by)));
            case Need.Unread _ ->
                    isOverdue(draft)
                            ? givenUp(
                                    draft.withEvent(
                                            SnapshotEvents.undeleted(
                                                    path,
                                                    "it is not known whether a job needs it")))
                            : waiting(draft);
            case Need.NotNeeded _ -> dispose(draft, path);
        };
    }

    private static SnapshotDecision dispose(SnapshotDraft draft, String path) {
        if (isOverdue(draft)) {
            return givenUp(draft.withEvent(SnapshotEvents.undeleted(path, why(draft))));
        }
        Optional<DisposalStatus> disposal =
                draft.status().deletion().flatMap(SnapshotDeletion::disposal);
        if (disposal.isEmpty()) {
            return ask(draft, path, 1);
        }
        return disposal.get().isUnderWay()
                ? answered(draft, path, disposal.get())
                : afterFailure(draft, path, disposal.get());
    }

    private static SnapshotDecision answered(
            SnapshotDraft draft, String path, DisposalStatus disposal) {
        return switch (draft.observed().disposal()) {
            case DisposalResult.Deleted _ -> released(draft);
            case DisposalResult.Failed(var message) -> {
                DisposalStatus failed =
                        new DisposalStatus(
                                draft.observed().now(), disposal.tries(), Optional.of(message));
                SnapshotDraft told =
                        disposal.tries() == 1
                                ? draft.withEvent(SnapshotEvents.disposalFailed(path, message))
                                : draft;
                yield recorded(told, failed, pause(disposal.tries()));
            }
            case DisposalResult.Pending _, DisposalResult.Silent _ -> waiting(draft);
            case DisposalResult.Unknown _, DisposalResult.NotAsked _ ->
                    waiting(draft.doing(disposalOf(path)));
        };
    }

    private static SnapshotDecision afterFailure(
            SnapshotDraft draft, String path, DisposalStatus failed) {
        Instant due = failed.at().plus(pause(failed.tries()));
        Duration wait = Duration.between(draft.observed().now(), due);
        return wait.isPositive()
                ? draft.decide(
                        Reason.SNAPSHOT_DISPOSING,
                        "",
                        Optional.of(shorter(wait, draft.observed().polls().progress())))
                : ask(draft, path, failed.tries() + 1);
    }

    private static SnapshotDecision ask(SnapshotDraft draft, String path, int tries) {
        var asked = new DisposalStatus(draft.observed().now(), tries, Optional.empty());
        return recorded(draft.doing(disposalOf(path)), asked, draft.observed().polls().progress());
    }

    private static SnapshotAction disposalOf(String path) {
        return new SnapshotAction.Ask(new Action.DisposeSavepoint(path));
    }

    private static SnapshotDecision recorded(
            SnapshotDraft draft, DisposalStatus disposal, Duration checkAgain) {
        return draft.withStatus(
                        draft.status().withDeletion(Optional.of(begun(draft).disposing(disposal))))
                .decide(Reason.SNAPSHOT_DISPOSING, "", Optional.of(checkAgain));
    }

    private static SnapshotDecision waiting(SnapshotDraft draft) {
        return begin(draft).inProgress(Reason.SNAPSHOT_DISPOSING, "");
    }

    private static SnapshotDraft begin(SnapshotDraft draft) {
        return draft.withStatus(draft.status().withDeletion(Optional.of(begun(draft))));
    }

    /** The deadline counts from when this operator began, as it may not have run before. */
    private static SnapshotDeletion begun(SnapshotDraft draft) {
        return draft.status()
                .deletion()
                .orElseGet(() -> new SnapshotDeletion(draft.observed().now(), Optional.empty()));
    }

    private static boolean isOverdue(SnapshotDraft draft) {
        return draft.status()
                .deletion()
                .map(deletion -> deletion.since().plus(draft.observed().limits().cleanup()))
                .filter(deadline -> !draft.observed().now().isBefore(deadline))
                .isPresent();
    }

    private static String why(SnapshotDraft draft) {
        return draft.status()
                .deletion()
                .flatMap(SnapshotDeletion::disposal)
                .flatMap(DisposalStatus::failure)
                .orElse("no JobManager of the job answered in time");
    }

    private static SnapshotDecision released(SnapshotDraft draft) {
        return draft.doing(new SnapshotAction.Release()).atRest(Reason.DELETED, "");
    }

    private static SnapshotDecision givenUp(SnapshotDraft draft) {
        return draft.doing(new SnapshotAction.Release())
                .atRest(Reason.SNAPSHOT_DISPOSAL_GIVEN_UP, "");
    }

    /** 1 s, then five times as long after each failure. */
    private static Duration pause(int tries) {
        return Duration.ofSeconds((long) Math.pow(GROWTH, Math.clamp(tries - 1L, 0, MOST_GROWTH)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
