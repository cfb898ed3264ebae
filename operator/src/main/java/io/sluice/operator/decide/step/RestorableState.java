// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.AttemptStatus;
import io.sluice.api.status.AttemptStatus.SeenCheckpoint;
import io.sluice.api.status.ReconciliationState;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.manifest.StartFrom;
import io.sluice.manifest.StateOptions;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of the state of a job that does not run. Not knowing is never taken for "none".
 *
 * <pre>
 *   Found ─▶ start from it      Lost, Gone ─▶ a human has to say      Unread ─▶ ask again
 * </pre>
 */
public sealed interface RestorableState {
    /**
     * @param from {@link StartFrom.Nothing} if it is certain that there is no state
     */
    record Found(StartFrom from) implements RestorableState {}

    /** There was state, and nobody knows where it is. */
    record Lost() implements RestorableState {}

    /** The last state is known, and nothing can be started from it. */
    record Gone(String path) implements RestorableState {}

    /** The JobManager has yet to say. */
    record Unread(String message) implements RestorableState {}

    String UNKNOWN_AT_REST =
            "It is not known where its last state is. Before the job starts again, you have to name"
                    + " a savepoint or checkpoint to start from.";

    /** A path that names no place, kept so that it is not taken for "no state". */
    String DISCARDED = "<checkpoint-discarded>";

    /**
     * What the recorded attempt was to start from: the state of a job that has not begun to run.
     */
    static RestorableState ofAttempt(StepContext context) {
        return ofAttempt(context, context.restoreMode());
    }

    /** What a job at rest is resumed from, by what is about to be on record. */
    static RestorableState ofResting(StepContext context) {
        return ofAttempt(
                context,
                LastReconciledSpec.from(context.draft().reconciliation())
                        .flatMap(last -> last.spec().job())
                        .map(JobSpec::upgradeMode)
                        .orElse(UpgradeMode.STATELESS));
    }

    private static RestorableState ofAttempt(StepContext context, UpgradeMode restoredBy) {
        boolean recoverable = context.observed().state().recoverable().contains(context.jobId());
        if (recoverable && context.target().recoversFromMetadata()) {
            return new Found(new StartFrom.LastState());
        }
        return restoredBy == UpgradeMode.LAST_STATE ? new Lost() : onRecord(context, restoredBy);
    }

    /**
     * An empty path says that there is no state only where that is on record, or where no job can
     * have made any: a path may have been removed by hand, by a tool, or by a restore. An attempt
     * that is to start from nothing says so; one that does not was to start from something, even if
     * no job on record has run. One that has begun so and was seen to run has made state.
     */
    private static RestorableState onRecord(StepContext context, UpgradeMode restoredBy) {
        Optional<String> path = context.draft().job().upgradeSavepointPath();
        AttemptStatus attempt = context.draft().attempt();
        boolean hadNone =
                restoredBy == UpgradeMode.STATELESS
                        || (!mayHaveRun(context.draft()) && !startsFromSomething(context));
        boolean isCertain =
                path.isPresent() || attempt.startsEmpty() || (hadNone && !attempt.beganEmpty());
        return isCertain && !hasRunSince(context.draft()) ? at(path) : new Lost();
    }

    /**
     * Whether the attempt that is to begin was seen to run: then its stop is gone from the record.
     * Sluice takes the start of the former job off the record with each attempt; another operator
     * does not.
     */
    private static boolean hasRunSince(StatusDraft draft) {
        boolean isToRun =
                LastReconciledSpec.from(draft.reconciliation())
                        .flatMap(last -> last.spec().job())
                        .filter(job -> job.state() == DesiredJobState.RUNNING)
                        .isPresent();
        return isToRun
                && draft.reconciliation().state() == ReconciliationState.UPGRADING
                && draft.attempt().startedWith().isPresent()
                && draft.attempt().stop().isEmpty()
                && draft.job().startTime().isPresent();
    }

    /** Of an attempt that does not say that it is to start from nothing. */
    private static boolean startsFromSomething(StepContext context) {
        return context.attempt().isPresent()
                && context.observed()
                        .lastReconciled()
                        .filter(LastReconciledSpec::startsEmpty)
                        .isEmpty();
    }

    /** Whether anything on record says that a job of the resource has run. */
    static boolean mayHaveRun(StatusDraft draft) {
        StateLog savepoints = draft.job().log().savepoints();
        return draft.reconciliation().lastStableSpec().isPresent()
                || draft.job().startTime().isPresent()
                || draft.attempt().lastCheckpoint().isPresent()
                || savepoints.last().isPresent()
                || !savepoints.history().isEmpty();
    }

    /**
     * The state of a job whose end is on record. That of a stateless one may have been recorded
     * before its JobManager told of its checkpoints.
     */
    static RestorableState ofRecordedEnd(StepContext context) {
        Optional<String> path = context.draft().job().upgradeSavepointPath();
        if (path.isPresent() || context.draft().attempt().startsEmpty()) {
            return at(path);
        }
        boolean tells =
                context.observed().job() instanceof JobView.Seen seen && seen.state().isTerminal();
        return tells ? ofEndedJob(context) : new Lost();
    }

    /**
     * Tells what the cluster's attempt was started from. Its JobManager begins with that whenever
     * it is started again, unless Flink's metadata name a checkpoint.
     *
     * @return empty if the status does not say
     */
    public static Optional<StartFrom> ofStanding(StepContext context) {
        Optional<String> path = context.draft().job().upgradeSavepointPath();
        AttemptStatus attempt = context.draft().attempt();
        boolean isEmpty =
                context.isSessionCluster() || attempt.startsEmpty() || attempt.beganEmpty();
        if (path.isEmpty()) {
            return isEmpty ? Optional.of(new StartFrom.Nothing()) : Optional.empty();
        }
        if (path.get().equals(StateOptions.LAST_STATE)) {
            return Optional.of(new StartFrom.LastState());
        }
        return at(path) instanceof Found(var from) ? Optional.of(from) : Optional.empty();
    }

    /** What a recorded path says. */
    static RestorableState at(Optional<String> path) {
        if (path.isEmpty()) {
            return new Found(new StartFrom.Nothing());
        }
        String text = path.get();
        if (text.equals(StateOptions.LAST_STATE)) {
            return new Lost();
        }
        return text.startsWith("<") ? new Gone(text) : new Found(new StartFrom.Savepoint(text));
    }

    /**
     * The state of a job that has ended, by its JobManager: the newest of all, or, if it has made
     * none and was restored from none, what the attempt was to start from.
     */
    static RestorableState ofEndedJob(StepContext context) {
        return switch (context.observed().state().last()) {
            case LastCheckpoints.NotAsked _ -> new Unread("");
            case LastCheckpoints.Unread(var message) -> new Unread(message);
            case LastCheckpoints.Known(Checkpoints told) ->
                    at(
                            told.latest()
                                    .map(RestorableState::path)
                                    .or(() -> withoutCheckpoints(context)));
        };
    }

    /**
     * The state of a job that its JobManager tells no checkpoints of: without checkpointing it does
     * not tell of savepoints either. The last one that was made since the attempt was taken up, or
     * else what that was to start from. Where neither that is on record, nor that the attempt began
     * empty, the path may have been removed: then nobody can tell. Nor can a JobManager that tells
     * of none although the job made some: it knows another run, as one does that was started again
     * after the job had ended.
     */
    static Optional<String> withoutCheckpoints(StepContext context) {
        if (LatestCheckpoint.isOwn(context)) {
            return Optional.of(StateOptions.LAST_STATE);
        }
        StatusDraft draft = context.draft();
        Instant begun = draft.reconciliation().reconciliationTimestamp().orElse(Instant.MAX);
        return draft.job()
                .log()
                .savepoints()
                .last()
                .filter(saved -> saved.at().isAfter(begun))
                .flatMap(SavedState::location)
                .or(() -> draft.job().upgradeSavepointPath())
                .or(() -> unknownStart(context));
    }

    private static Optional<String> unknownStart(StepContext context) {
        AttemptStatus attempt = context.draft().attempt();
        return Optional.of(StateOptions.LAST_STATE)
                .filter(
                        _ ->
                                attempt.lastCheckpoint().isPresent()
                                        || (!attempt.startsEmpty()
                                                && !attempt.beganEmpty()
                                                && startsFromSomething(context)));
    }

    /**
     * The last checkpoint that was seen, where only Flink's metadata knows the very last: as long
     * as none was, they name what the attempt was restored from.
     */
    static Optional<SeenCheckpoint> lastSeen(StepContext context, StartFrom from) {
        return from instanceof StartFrom.LastState ? bestKnown(context) : Optional.empty();
    }

    /** The last checkpoint that was seen, or else what the attempt was started from. */
    static Optional<SeenCheckpoint> bestKnown(StepContext context) {
        return LatestCheckpoint.of(context)
                .or(
                        () ->
                                startedFrom(context)
                                        .map(path -> new SeenCheckpoint(path, Optional.empty())));
    }

    /**
     * What to tell a human of a state that is lost; empty for a job that runs, which makes
     * checkpoints all the time.
     */
    static String whereStateMayBe(StepContext context) {
        return isRunning(context) ? "" : (lastKnown(context) + " " + whereToLook(context)).strip();
    }

    /**
     * Names the folder of the job's checkpoints. Only Flink's metadata say which of them is the
     * newest, and they may be gone, or in ZooKeeper, which the operator does not ask.
     */
    private static String whereToLook(StepContext context) {
        Options running = context.running();
        return running.get(FlinkOptions.CHECKPOINT_FOLDER)
                .filter(_ -> !context.jobId().isEmpty())
                .map(
                        folder ->
                                "The newest checkpoint is the folder chk-NUMBER with the highest"
                                        + " number and a file _metadata in "
                                        + folder
                                        + "/"
                                        + context.jobId()
                                        + (running.usesZooKeeper()
                                                ? "; the operator does not read ZooKeeper."
                                                : ", if there is one."))
                .orElse("");
    }

    private static boolean isRunning(StepContext context) {
        ObservedState observed = context.observed();
        return observed.job() instanceof JobView.Seen seen
                && !seen.state().isTerminal()
                && seen.isRunOf(observed.status().jobStatus());
    }

    private static String lastKnown(StepContext context) {
        return LatestCheckpoint.of(context)
                .map(
                        seen ->
                                "The last checkpoint that was seen was "
                                        + seen.path()
                                        + seen.at().map(at -> ", complete at " + at).orElse("")
                                        + ".")
                .or(
                        () ->
                                startedFrom(context)
                                        .map(path -> "The job was started from " + path + "."))
                .orElse("");
    }

    /** The savepoint or checkpoint that the job on record was started from, by its path. */
    static Optional<String> startedFrom(StepContext context) {
        return context.draft()
                .job()
                .upgradeSavepointPath()
                .filter(path -> at(Optional.of(path)) instanceof Found);
    }

    /** What there is to say of a job at rest that can't be resumed without a human. */
    static String describeAtRest(StepContext context) {
        return switch (ofResting(context)) {
            case Found _, Unread _ -> "";
            case Lost _ -> (UNKNOWN_AT_REST + " " + whereStateMayBe(context)).strip();
            case Gone(var path) ->
                    (UNKNOWN_AT_REST
                                    + " Its last checkpoint is "
                                    + path
                                    + ". "
                                    + whereStateMayBe(context))
                            .strip();
        };
    }

    private static String path(CheckpointRef last) {
        return last.discarded() ? DISCARDED : last.path();
    }

    /** How it is recorded in {@code jobStatus.upgradeSavepointPath}. */
    static Optional<String> recorded(StartFrom from) {
        return switch (from) {
            case StartFrom.Nothing _ -> Optional.empty();
            case StartFrom.Savepoint(var path) -> Optional.of(path);
            case StartFrom.LastState _ -> Optional.of(StateOptions.LAST_STATE);
        };
    }
}
