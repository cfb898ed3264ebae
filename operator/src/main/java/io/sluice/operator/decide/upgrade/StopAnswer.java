// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.status.JobState;
import io.sluice.api.status.StopStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.StateView.LastCheckpoints;
import io.sluice.operator.model.StateView.StopView;
import java.util.Optional;

/**
 * What the cluster and its JobManager tell of a job whose stop is on record. {@link StopInProgress}
 * decides what follows from it.
 */
sealed interface StopAnswer {
    /** There is a JobManager, and its pod can't answer. */
    record ClusterDown() implements StopAnswer {}

    /** Objects of the cluster are still being removed. */
    record ClusterTerminating() implements StopAnswer {}

    record ClusterRemoved() implements StopAnswer {}

    /** The JobManager did not say anything about its jobs. */
    record Silent(String message, NoAnswer noAnswer) implements StopAnswer {}

    /** The JobManager answers, and has no such job. */
    record NotListed() implements StopAnswer {}

    /** The JobManager has run the job again under the same id. */
    record AnotherRun() implements StopAnswer {}

    record Listed(JobView.Seen job, StopProgress progress) implements StopAnswer {}

    static StopAnswer of(StepContext context, StopStatus stop) {
        return switch (context.cluster().jobManager()) {
            case JobManagerView.Present(_, _, var available, _) ->
                    available ? ofJob(context, stop) : new ClusterDown();
            case JobManagerView.Terminating _ -> new ClusterTerminating();
            case JobManagerView.Absent _ ->
                    context.cluster().isGone() ? new ClusterRemoved() : new ClusterTerminating();
        };
    }

    private static StopAnswer ofJob(StepContext context, StopStatus stop) {
        return switch (context.observed().job()) {
            case JobView.NotAsked _ -> new Silent("", NoAnswer.NO_ANSWER);
            case JobView.Unreachable(var message, var noAnswer) -> new Silent(message, noAnswer);
            case JobView.NotListed _ -> new NotListed();
            case JobView.Seen seen when isAnotherRun(context, seen) -> new AnotherRun();
            case JobView.Seen seen -> new Listed(seen, StopProgress.of(context, stop, seen));
        };
    }

    /**
     * Without kept results a JobManager that restarts runs the job again, from nothing: what is
     * seen then is another job under the same id.
     */
    private static boolean isAnotherRun(StepContext context, JobView.Seen seen) {
        return !context.leavesEnded()
                && !Optional.of(seen.overview().startTime())
                        .equals(context.draft().job().startTime());
    }

    /**
     * Whether the job that is being stopped has come to its own end instead, which leaves no
     * savepoint. A job that failed may have done so because of the stop.
     */
    static boolean isOwnEnd(StepContext context) {
        boolean finished =
                context.observed().job() instanceof JobView.Seen seen
                        && seen.state() == JobState.FINISHED
                        && !isAnotherRun(context, seen);
        boolean unsaved =
                context.observed().state().last() instanceof LastCheckpoints.Known(Checkpoints told)
                        && (told.savepoint().isEmpty() || !told.latest().equals(told.savepoint()));
        boolean completed =
                context.observed().state().stop()
                        instanceof StopView.Known(SavepointStatus.Completed _);
        return context.stopUnderWay().isPresent() && finished && unsaved && !completed;
    }
}
