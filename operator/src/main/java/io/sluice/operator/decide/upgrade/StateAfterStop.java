// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.SavepointOptions;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.rules.config.option.FlinkOptions;
import java.time.Duration;
import java.util.Optional;

/** From which state the next attempt of a job starts once its stop has come to an end. */
public final class StateAfterStop {
    private StateAfterStop() {}

    static StepResult ofSavepoint(StepContext context, String path) {
        return Upgrade.startAttempt(
                StateTriggers.withSavepointOfStop(context, path), new StartFrom.Savepoint(path));
    }

    /** The job has ended without a savepoint of the stop: its last checkpoint is its state. */
    static StepResult ofEndedJob(StepContext context, String message) {
        if (startsOverAtOnce(context)) {
            return Upgrade.startAttempt(context, new StartFrom.Nothing());
        }
        return switch (RestorableState.ofEndedJob(context)) {
            case RestorableState.Found(var from) -> Upgrade.startAttempt(context, from);
            case RestorableState.Unread(var why) ->
                    context.decide(Reason.STATE_UNREAD, why, Optional.of(nextLook(context)));
            case RestorableState.Lost _ ->
                    unknown(context, Reason.UPGRADE_FAILED, new StartFrom.LastState(), message);
            case RestorableState.Gone(var path) ->
                    unknown(
                            context,
                            Reason.CHECKPOINT_NOT_FOUND,
                            new StartFrom.Savepoint(path),
                            path);
        };
    }

    /**
     * The job has ended, by its stop or otherwise, and nobody knows whether a savepoint was written
     * before that. A JobManager lists savepoints with the checkpoints, and neither of a job without
     * checkpointing: one that lists nothing says nothing then.
     */
    static StepResult ofForgottenSavepoint(StepContext context) {
        boolean mayBeUnlisted =
                context.running().get(FlinkOptions.CHECKPOINT_INTERVAL).isEmpty()
                        && context.observed().state().last()
                                instanceof LastCheckpoints.Known(var told)
                        && told.latest().isEmpty();
        return mayBeUnlisted && !startsOverAtOnce(context)
                ? unknown(
                        context,
                        Reason.UPGRADE_FAILED,
                        new StartFrom.LastState(),
                        ("The job ended while it was being stopped with a savepoint, and its"
                                        + " JobManager does not know any more what became of that. "
                                        + savepointHint(context))
                                .strip())
                : ofEndedJob(context, "");
    }

    /** The job is down while its JobManager has yet to tell of the last checkpoint. */
    private static Duration nextLook(StepContext context) {
        return context.stopUnderWay()
                .map(stop -> context.untilStopped(stop.at()))
                .orElseGet(context::soon);
    }

    /**
     * After a stop that wrote a savepoint and failed all the same, the job may have run on from its
     * last checkpoint, and have written later ones. Only the JobManager can tell their order: its
     * clock can't be compared with the operator's.
     */
    static StepResult ofFailedStop(StepContext context, String path, String message) {
        if (!(context.observed().state().last()
                instanceof LastCheckpoints.Known(Checkpoints told))) {
            return ofEndedJob(context, message);
        }
        boolean isLast = told.latest().filter(last -> last.path().equals(path)).isPresent();
        boolean isListed = told.savepoint().isPresent();
        boolean hasOthers = told.completed().isPresent();
        if (isLast || (!isListed && !hasOthers)) {
            return ofSavepoint(context, path);
        }
        return isListed
                ? ofEndedJob(context, message)
                : unknown(
                        context,
                        Reason.STATE_IN_DOUBT,
                        new StartFrom.LastState(),
                        "The stop wrote "
                                + path
                                + ", which the JobManager does not list; it lists "
                                + told.completed().map(CheckpointRef::path).orElse("")
                                + ".");
    }

    /**
     * If the record does not name a run, the job that is listed may be the one that is being
     * stopped. It is not removed then, even if the job is to be suspended.
     */
    static StepResult ofAnotherRun(StepContext context) {
        String hint = savepointHint(context);
        return context.draft().job().startTime().isPresent()
                ? unknown(context, Reason.STATE_IN_DOUBT, new StartFrom.LastState(), hint)
                : HeldChange.askHuman(
                        context,
                        Reason.STATE_IN_DOUBT,
                        (hint + " " + RestorableState.whereStateMayBe(context)).strip());
    }

    /**
     * The cluster is removed or broken: what Flink left for a recovery is the last state, for the
     * same version of Flink.
     */
    static StepResult ofRemovedCluster(StepContext context) {
        if (isRecoverable(context)) {
            return Upgrade.startAttempt(context, new StartFrom.LastState());
        }
        if (!UpgradeSituations.of(context).recoverable()) {
            return unknown(
                    context,
                    Reason.JOB_MANAGER_MISSING,
                    new StartFrom.LastState(),
                    savepointHint(context));
        }
        return context.isDesiredRunning()
                ? HeldChange.askHuman(
                        context,
                        Reason.LAST_STATE_UNUSABLE,
                        RestorableState.whereStateMayBe(context))
                : Suspension.suspendFormerSpec(context, new StartFrom.LastState());
    }

    /** The JobManager answers, and has not listed the job for long. */
    static StepResult ofMissingJob(StepContext context) {
        return context.target().recoversFromMetadata() && goesOnFromMetadata(context)
                ? Upgrade.startAttempt(context, new StartFrom.LastState())
                : unknown(
                        context,
                        Reason.UPGRADE_FAILED,
                        new StartFrom.LastState(),
                        savepointHint(context));
    }

    /** Nobody can tell the state any more. A job that is to be suspended is, all the same. */
    private static StepResult unknown(
            StepContext context, Reason why, StartFrom mark, String detail) {
        return context.isDesiredRunning()
                ? HeldChange.askHuman(
                        context,
                        why,
                        (detail + " " + RestorableState.whereStateMayBe(context)).strip())
                : Suspension.suspendWithoutState(context, why, mark, detail);
    }

    /** Whether nothing has to be removed or restored before the job is submitted again. */
    static boolean startsOverAtOnce(StepContext context) {
        return !context.target().hasOwnJobManager() && context.isStateless();
    }

    /** If only a savepoint will do, a human has to agree to the metadata's checkpoint. */
    static boolean goesOnFromMetadata(StepContext context) {
        UpgradePlan.Situation situation = UpgradeSituations.of(context);
        boolean mayFallBack = !situation.mode().takesSavepoint() || situation.fallsBack();
        return mayFallBack && isRecoverable(context);
    }

    static boolean isRecoverable(StepContext context) {
        UpgradePlan.Situation situation = UpgradeSituations.of(context);
        return situation.recoverable() && !situation.newVersion();
    }

    /** Where a savepoint is if the stop has written one that nobody was told of. */
    public static String savepointHint(StepContext context) {
        int tries = context.stopUnderWay().map(StopStatus::tries).orElse(1);
        return SavepointOptions.of(context)
                .folder(tries)
                .map(
                        folder ->
                                "A savepoint of it would be "
                                        + folder
                                        + "/savepoint-"
                                        + context.jobId()
                                                .substring(0, Math.min(6, context.jobId().length()))
                                        + "-*.")
                .orElse("");
    }
}
