// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotAttempt;
import io.sluice.api.status.snapshot.SnapshotAttemptBuilder;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.decide.step.AttemptIds;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.option.FlinkOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A snapshot that Flink is to be asked for, once its job runs and the next try is due. */
final class SnapshotTrigger {
    private SnapshotTrigger() {}

    static SnapshotDecision decide(SnapshotDraft draft) {
        SnapshotObservedState observed = draft.observed();
        if (observed.objection().isPresent()) {
            return held(draft, observed.objection().get());
        }
        if (observed.spec().isRegistration()) {
            return registered(draft);
        }
        if (SnapshotFailure.isOverLimit(observed.spec(), draft.status())) {
            return SnapshotFailure.noMore(draft);
        }
        return switch (observed.target()) {
            case SnapshotTarget.NotRead _ -> waiting(draft, "its job was not read");
            case SnapshotTarget.Gone _ ->
                    waiting(draft, "there is no resource that spec.jobReference names");
            case SnapshotTarget.Busy(var with) -> waiting(draft, with.text());
            case SnapshotTarget.AtRest _ -> abandoned(draft, "the job is suspended");
            case SnapshotTarget.Leaving _ -> abandoned(draft, "the job is being deleted");
            case SnapshotTarget.Ended(var why) -> abandoned(draft, why);
            case SnapshotTarget.Up up -> due(draft, up);
        };
    }

    /**
     * Nothing comes of it.
     *
     * @param why as a clause
     */
    static SnapshotDecision abandoned(SnapshotDraft draft, String why) {
        return draft.withStatus(
                        draft.status()
                                .with()
                                .state(SnapshotState.ABANDONED)
                                .path(Optional.empty())
                                .resultTimestamp(Optional.of(draft.observed().now()))
                                .error(Optional.of(SnapshotEvents.sentence(why)))
                                .build())
                .withEvent(SnapshotEvents.abandoned(draft.observed(), why))
                .atRest(Reason.SNAPSHOT_ABANDONED, SnapshotEvents.sentence(why));
    }

    /** Asks for the try on record; under the same id Flink makes no second savepoint. */
    static SnapshotAction ask(SnapshotObservedState observed, FlinkStateSnapshotStatus status) {
        String jobId = status.attempt().jobId().orElse("");
        String triggerId = status.triggerId().orElse("");
        return new SnapshotAction.Ask(
                observed.spec()
                        .savepoint()
                        .<Action.OfJob>map(
                                savepoint ->
                                        new Action.TriggerSavepoint(
                                                jobId,
                                                new SavepointRequest(
                                                        triggerId,
                                                        folder(observed),
                                                        format(savepoint))))
                        .orElseGet(
                                () ->
                                        new Action.TriggerCheckpoint(
                                                jobId,
                                                new CheckpointRequest(
                                                        triggerId, CheckpointRequest.Type.FULL))));
    }

    /** Where the savepoint goes. */
    static Optional<String> folder(SnapshotObservedState observed) {
        return observed.spec()
                .savepoint()
                .flatMap(SavepointSpec::path)
                .filter(path -> !path.isBlank())
                .or(() -> observed.job().folder());
    }

    private static SnapshotDecision held(SnapshotDraft draft, SpecView.Invalid objection) {
        String detail = String.join("\n", objection.problems());
        SnapshotDraft told =
                objection.reason() == Reason.VALIDATING
                        ? draft
                        : draft.withEvent(
                                SnapshotEvents.held(draft.observed(), objection.reason(), detail));
        return told.decide(
                objection.reason(),
                detail,
                objection.checkAgain(draft.observed().polls().steady()));
    }

    private static SnapshotDecision registered(SnapshotDraft draft) {
        Optional<Instant> now = Optional.of(draft.observed().now());
        Optional<String> path = draft.observed().spec().savepoint().flatMap(SavepointSpec::path);
        return draft.withStatus(
                        draft.status()
                                .with()
                                .state(SnapshotState.COMPLETED)
                                .path(path)
                                .triggerTimestamp(now)
                                .resultTimestamp(now)
                                .error(Optional.empty())
                                .build())
                .atRest(Reason.SNAPSHOT_COMPLETED, path.orElse(""));
    }

    private static SnapshotDecision waiting(SnapshotDraft draft, String why) {
        Instant until = draft.observed().waitsUntil();
        Instant now = draft.observed().now();
        if (!now.isBefore(until)) {
            return abandoned(draft, why);
        }
        Duration left = Duration.between(now, until);
        Duration pause = draft.observed().polls().progress();
        return draft.decide(
                Reason.SNAPSHOT_WAITING,
                SnapshotEvents.sentence(why) + " It waits until " + until + ".",
                Optional.of(left.compareTo(pause) < 0 ? left : pause));
    }

    private static SnapshotDecision due(SnapshotDraft draft, SnapshotTarget.Up up) {
        boolean isEarly =
                SnapshotFailure.nextTry(draft.status())
                        .filter(next -> draft.observed().now().isBefore(next))
                        .isPresent();
        if (isEarly) {
            return SnapshotFailure.retrying(draft);
        }
        return obstacle(draft.observed())
                .map(
                        obstacle ->
                                draft.decide(
                                        Reason.SNAPSHOT_UNSUPPORTED,
                                        obstacle,
                                        Optional.of(draft.observed().polls().steady())))
                .orElseGet(() -> begin(draft, up));
    }

    /** Why Flink would not even take the request up. */
    private static Optional<String> obstacle(SnapshotObservedState observed) {
        if (observed.spec().checkpoint()) {
            return observed.job().makesCheckpoints()
                    ? Optional.empty()
                    : Optional.of(
                            "Flink can be asked for a checkpoint since version 1.17: take a"
                                    + " savepoint, or raise spec.flinkVersion of the job.");
        }
        return folder(observed).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "There is no folder for savepoints: set spec.savepoint.path, or "
                                + FlinkOptions.SAVEPOINT_FOLDER.key()
                                + " in spec.flinkConfiguration of the job.");
    }

    private static SnapshotDecision begin(SnapshotDraft draft, SnapshotTarget.Up up) {
        SnapshotObservedState observed = draft.observed();
        FlinkStateSnapshotStatus before = draft.status();
        SnapshotAttempt attempt =
                SnapshotAttemptBuilder.builder()
                        .jobId(Optional.of(up.jobId()))
                        .attempt(Optional.of(up.attempt()).filter(id -> !id.isEmpty()))
                        .restarts(before.attempt().restarts())
                        .jobChange(Optional.of(up.lastChange()))
                        .build();
        FlinkStateSnapshotStatus next =
                before.with()
                        .state(SnapshotState.IN_PROGRESS)
                        .triggerId(
                                Optional.of(
                                        AttemptIds.snapshot(
                                                observed.identity().uid(),
                                                up.jobId(),
                                                up.attempt(),
                                                before.failures())))
                        .triggerTimestamp(Optional.of(observed.now()))
                        .attempt(attempt)
                        .build();
        return draft.withStatus(next)
                .doing(ask(observed, next))
                .inProgress(Reason.SNAPSHOT_IN_PROGRESS, "");
    }

    private static StopRequest.SavepointFormat format(SavepointSpec savepoint) {
        return savepoint.formatType() == SavepointFormat.NATIVE
                ? StopRequest.SavepointFormat.NATIVE
                : StopRequest.SavepointFormat.CANONICAL;
    }
}
