// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.StateView.StopView;

/** How far the stop of a job has come that the JobManager lists. */
sealed interface StopProgress {
    /** The job is to be cancelled, and has not ended yet. */
    record ToBeCancelled() implements StopProgress {}

    /** The JobManager was not asked for the savepoint in this reconciliation. */
    record SavepointNotAsked() implements StopProgress {}

    record SavepointUnread(String message, NoAnswer noAnswer) implements StopProgress {}

    /** The savepoint is being written, or the job has yet to end after it. */
    record SavepointInProgress() implements StopProgress {}

    record SavepointCompleted(String path) implements StopProgress {}

    /** The job runs, and the JobManager does not know the request for a savepoint. */
    record NotRequested() implements StopProgress {}

    /** The stop failed, and the job runs on. */
    record Failed(String message) implements StopProgress {}

    /** The stop wrote a savepoint and failed all the same, and the job has ended since. */
    record FailedWithSavepoint(String path, String message) implements StopProgress {}

    /**
     * The job has ended, by its stop or otherwise, and the JobManager does not know the request: it
     * was never made, or its result is forgotten, as it is after five minutes.
     */
    record SavepointForgotten() implements StopProgress {}

    /** The job has ended, without a savepoint of the stop. */
    record Ended(String message) implements StopProgress {}

    static StopProgress of(StepContext context, StopStatus stop, JobView.Seen seen) {
        return switch (stop.how()) {
            case SAVEPOINT -> ofSavepoint(context, seen);
            case CANCEL -> seen.state().isTerminal() ? new Ended("") : new ToBeCancelled();
        };
    }

    private static StopProgress ofSavepoint(StepContext context, JobView.Seen seen) {
        boolean hasEnded = seen.state().isTerminal();
        return switch (context.observed().state().stop()) {
            case StopView.NotAsked _ -> new SavepointNotAsked();
            case StopView.Silent(var message, var noAnswer) ->
                    new SavepointUnread(message, noAnswer);
            case StopView.Known(SavepointStatus.InProgress _) -> new SavepointInProgress();
            case StopView.Known(SavepointStatus.Completed(var path)) ->
                    hasEnded || context.target().hasOwnJobManager()
                            ? new SavepointCompleted(path)
                            : new SavepointInProgress();
            case StopView.Known(SavepointStatus.Unknown _) ->
                    hasEnded ? new SavepointForgotten() : new NotRequested();
            case StopView.Known(SavepointStatus.Failed failed) ->
                    hasEnded ? ofFailed(failed) : new Failed(failed.message());
        };
    }

    private static StopProgress ofFailed(SavepointStatus.Failed failed) {
        return failed.location()
                .<StopProgress>map(path -> new FailedWithSavepoint(path, failed.message()))
                .orElseGet(() -> new Ended(failed.message()));
    }
}
