// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.StateView.Retention;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * How a job gets from its former spec to the next without losing state: the table of upgrade
 * decisions (docs/contract/reconciler.md, section 4), row by row.
 */
public sealed interface UpgradePlan {
    /** Flink is asked to end the job; its last state is taken from what comes of it. */
    record Stop(StopStatus.How how) implements UpgradePlan {}

    /** The state is known: remove what is left of the cluster and start from it. */
    record Restore(StartFrom from) implements UpgradePlan {}

    /** The user asked for an empty start. */
    record StartFresh() implements UpgradePlan {}

    /** The change has to wait; the job goes on as it is. */
    record Wait(Reason why) implements UpgradePlan {}

    /** Only a human can say what to start from. */
    record AskHuman(Reason why) implements UpgradePlan {}

    /** What the job does. */
    enum Job {
        /** All its tasks run. */
        RUNNING,
        /** Listed, neither ended nor fully up. */
        UNSETTLED,
        CANCELLING,
        CANCELED,
        /** Failed or finished. */
        ENDED,
        /** Not seen, for whatever reason. */
        UNKNOWN,
        /**
         * Its JobManager has just failed to answer, and nobody has seen a checkpoint that it has
         * made.
         */
        JUST_SILENT,
        /** A JobManager that answers has not listed it for long. */
        GONE,
        /** What runs is another run, without the state of the one on record. */
        BEGUN_ANEW
    }

    /** How the JobManager is. */
    enum JobManager {
        READY,
        STARTING,
        /**
         * Of this attempt none has ever been up, or has submitted its job: its state is what it was
         * to start from.
         */
        NEVER_UP,
        MISSING,
        /** A pod says that it can't run. */
        BROKEN
    }

    /** Whether a job that runs has made something that a cancellation leaves. */
    enum Checkpoint {
        MADE,
        /** Cancelled, the job would begin from nothing. */
        NONE,
        /** Its JobManager has yet to say. */
        UNREAD
    }

    /** How the last checkpoint stands against the greatest age that is allowed. */
    enum Age {
        FINE,
        /** Too old, but a younger one is under way. */
        PENDING,
        TOO_OLD
    }

    /**
     * All that the plan hangs on.
     *
     * @param mode the one the changed spec asks for
     * @param recoverable whether the high-availability metadata names a checkpoint of the job, and
     *     both the former and the changed spec use it
     * @param known the state of a job that does not run; of a running one it is not asked
     * @param newVersion whether the Flink version changes
     * @param fallsBack {@code kubernetes.operator.job.upgrade.last-state-fallback.enabled}
     * @param prefersCancel {@code kubernetes.operator.job.upgrade.last-state.job-cancel.enabled}
     * @param hasSavepointFolder whether the running job's configuration names one, or the changed
     *     one does
     * @param retention of the checkpoints of a job that runs; of any other it is not asked
     * @param checkpoint of a job that runs
     */
    @RecordBuilder
    record Situation(
            UpgradeMode mode,
            Job job,
            JobManager jobManager,
            boolean recoverable,
            RestorableState known,
            boolean newVersion,
            boolean fallsBack,
            boolean prefersCancel,
            boolean hasSavepointFolder,
            Age age,
            Retention retention,
            Checkpoint checkpoint)
            implements UpgradePlanSituationBuilder.With {
        private boolean isCancellable() {
            boolean lives = job == Job.RUNNING || job == Job.UNSETTLED;
            return lives && jobManager == JobManager.READY && (!recoverable || prefersCancel);
        }
    }

    static UpgradePlan of(Situation now) {
        return switch (now.mode()) {
            case STATELESS -> new StartFresh();
            case SAVEPOINT, LAST_STATE -> withState(now);
        };
    }

    private static UpgradePlan withState(Situation now) {
        if (now.jobManager() == JobManager.NEVER_UP) {
            return restore(now);
        }
        return switch (now.job()) {
            case CANCELED -> restore(now);
            case ENDED ->
                    !now.recoverable() || now.newVersion() || now.jobManager() == JobManager.READY
                            ? restore(now)
                            : lastState(now);
            case CANCELLING -> new Wait(Reason.JOB_CANCELLING);
            case RUNNING ->
                    now.mode().takesSavepoint() ? new Stop(StopStatus.How.SAVEPOINT) : running(now);
            case UNSETTLED, UNKNOWN, JUST_SILENT ->
                    now.mode().takesSavepoint() && !now.newVersion() && !now.fallsBack()
                            ? new Wait(Reason.WAITING_FOR_RUNNING_JOB)
                            : notRunning(now);
            case GONE -> notRunning(now);
            case BEGUN_ANEW -> new AskHuman(Reason.STATE_LOST);
        };
    }

    /** Rows 7 to 12: with its last state, and the job runs. */
    private static UpgradePlan running(Situation now) {
        if (now.newVersion()) {
            return now.hasSavepointFolder()
                    ? new Stop(StopStatus.How.SAVEPOINT)
                    : cancelOr(now, new AskHuman(Reason.NO_SAVEPOINT_FOLDER));
        }
        return switch (now.age()) {
            case FINE -> young(now);
            case PENDING -> new Wait(Reason.CHECKPOINT_PENDING);
            case TOO_OLD -> new Stop(StopStatus.How.SAVEPOINT);
        };
    }

    /**
     * A job that makes no checkpoints would go back to what it was started from, which its
     * high-availability metadata name as its last.
     */
    private static UpgradePlan young(Situation now) {
        return switch (now.retention()) {
            case Retention.Known(var told) when told == CheckpointRetention.NO_CHECKPOINTS ->
                    withoutCheckpoints(now);
            case Retention.Unread _ -> new Wait(Reason.STATE_UNREAD);
            case Retention.NotAsked _, Retention.Known _ -> cancelOr(now, lastState(now));
        };
    }

    private static UpgradePlan withoutCheckpoints(Situation now) {
        return now.hasSavepointFolder()
                ? new Stop(StopStatus.How.SAVEPOINT)
                : new AskHuman(Reason.NO_CHECKPOINT);
    }

    /** Rows 8, 9, 13 and 14: with its last state, and the job does not run. */
    private static UpgradePlan notRunning(Situation now) {
        return cancelOr(
                now,
                now.newVersion() && now.recoverable()
                        ? new Wait(Reason.WAITING_FOR_RUNNING_JOB)
                        : lastState(now));
    }

    /** Only if it is certain that the cancellation leaves the state that it is to take along. */
    private static UpgradePlan cancelOr(Situation now, UpgradePlan otherwise) {
        if (!now.isCancellable()) {
            return otherwise;
        }
        return switch (now.retention()) {
            case Retention.NotAsked _, Retention.Unread _ -> new Wait(Reason.STATE_UNREAD);
            case Retention.Known(var retention) ->
                    switch (retention) {
                        case RETAINED, NO_CHECKPOINTS -> cancel(now);
                        case DELETED -> uncancelled(now, otherwise);
                    };
        };
    }

    /**
     * A job that does not run begins from what it has kept in any case; one that runs has state in
     * its memory that a cancellation ends.
     */
    private static UpgradePlan cancel(Situation now) {
        if (now.job() != Job.RUNNING) {
            return new Stop(StopStatus.How.CANCEL);
        }
        return switch (now.checkpoint()) {
            case MADE -> new Stop(StopStatus.How.CANCEL);
            case UNREAD -> new Wait(Reason.STATE_UNREAD);
            case NONE -> withoutCheckpoints(now);
        };
    }

    /** A cancellation would delete the job's state. */
    private static UpgradePlan uncancelled(Situation now, UpgradePlan otherwise) {
        if (now.job() == Job.RUNNING && now.hasSavepointFolder()) {
            return new Stop(StopStatus.How.SAVEPOINT);
        }
        return now.recoverable() && !now.newVersion()
                ? otherwise
                : new AskHuman(Reason.CHECKPOINTS_NOT_RETAINED);
    }

    /**
     * Through the high-availability metadata, which needs no JobManager that answers. Only it can
     * say whether they name more than what the job was restored from.
     */
    private static UpgradePlan lastState(Situation now) {
        if (now.recoverable() && !now.newVersion()) {
            return now.job() == Job.JUST_SILENT
                    ? new Wait(Reason.STATE_UNREAD)
                    : new Restore(new StartFrom.LastState());
        }
        if (now.job() == Job.GONE) {
            return new AskHuman(Reason.UPGRADE_FAILED);
        }
        return switch (now.jobManager()) {
            case MISSING, BROKEN -> new AskHuman(Reason.UPGRADE_FAILED);
            case READY, STARTING, NEVER_UP -> new Wait(Reason.WAITING_FOR_RUNNING_JOB);
        };
    }

    private static UpgradePlan restore(Situation now) {
        return switch (now.known()) {
            case RestorableState.Found(StartFrom.LastState from) ->
                    now.recoverable() && !now.newVersion()
                            ? new Restore(from)
                            : new AskHuman(Reason.LAST_STATE_UNUSABLE);
            case RestorableState.Found(var from) -> new Restore(from);
            // Flink removes the metadata of a job that has ended, but not of one whose main()
            // threw.
            case RestorableState.Lost _ ->
                    now.recoverable() && !now.newVersion()
                            ? new Restore(new StartFrom.LastState())
                            : new AskHuman(Reason.UPGRADE_FAILED);
            case RestorableState.Gone _ -> new AskHuman(Reason.CHECKPOINT_NOT_FOUND);
            case RestorableState.Unread _ -> new Wait(Reason.STATE_UNREAD);
        };
    }
}
