// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.running.JobExceptionEvents;
import io.sluice.operator.decide.running.RunningJob;
import io.sluice.operator.decide.running.StateTriggers;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.Downtime;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.upgrade.SessionClusterGuard;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import java.time.Duration;
import java.util.Optional;

/** What the running JobManager says of the job. */
final class JobObservation {
    private static final String STILL_WAITS =
            "This has taken more than five minutes. An edit replaces this attempt, and starts from"
                    + " the same state.";

    private JobObservation() {}

    static Decision decide(StepContext context) {
        if (context.target() instanceof Target.SessionCluster session) {
            return SessionClusterGuard.observe(context, session);
        }
        return switch (context.observed().job()) {
            case JobView.NotAsked _ -> whenSilent(context, "", NoAnswer.NO_ANSWER);
            case JobView.Unreachable(var message, var noAnswer) ->
                    whenSilent(context, message, noAnswer);
            case JobView.NotListed _ -> whenNotListed(JobFacts.withReadyJobManager(context));
            case JobView.Seen seen -> whenListed(JobFacts.withReadyJobManager(context), seen);
        };
    }

    /**
     * A JobManager that has just started lists nothing yet; one that keeps the result of a job that
     * has ended does not list it any more.
     */
    private static Decision whenNotListed(StepContext context) {
        Optional<JobState> ended = JobFacts.recordedEnd(context);
        if (ended.isPresent()) {
            return EndedJob.afterRecordedEnd(context, ended.get());
        }
        StepContext missed = JobFacts.withJobMissing(context);
        boolean runsAgain =
                !missed.target().hasOwnJobManager()
                        && missed.discardsState()
                        && !JobFacts.isMissed(missed);
        if (runsAgain && JobFacts.isGone(missed)) {
            return SessionJobLifecycle.runAgain(missed);
        }
        if (JobFacts.isUnsubmitted(missed)) {
            return missed.decide(
                    Reason.WAITING_FOR_SUBMISSION,
                    STILL_WAITS,
                    Optional.of(context.observed().polls().steady()));
        }
        return JobFacts.isGone(missed)
                ? missed.withEvent(
                                ResourceEvent.of(
                                        "Job",
                                        OperatorEvent.MISSING,
                                        context.attempt().orElse(""),
                                        "The JobManager runs and lists no job"))
                        .decide(
                                Reason.JOB_NOT_FOUND,
                                RestorableState.whereStateMayBe(context),
                                Optional.of(context.observed().polls().steady()))
                : missed.decide(Reason.WAITING_FOR_SUBMISSION, context.soon());
    }

    /** No answer: what was known stays known, only its state is in doubt. */
    private static Decision whenSilent(StepContext context, String message, NoAnswer noAnswer) {
        StepContext unknown =
                context.withDraft(draft -> draft.withUnknownJobState(context.observed().now()));
        boolean isReady = context.draft().jobManager() == JobManagerDeploymentState.READY;
        return isReady || noAnswer == NoAnswer.TOO_LARGE
                ? unknown.unanswered(noAnswer, Reason.JOB_UNREACHABLE, message)
                : unknown.withDraft(
                                draft ->
                                        draft.withJobManager(
                                                JobManagerDeploymentState.DEPLOYED_NOT_READY))
                        .decide(Reason.WAITING_FOR_REST, context.soon());
    }

    private static Decision whenListed(StepContext ready, JobView.Seen seen) {
        if (JobFacts.isSucceededBy(ready, seen)) {
            return LostRun.decide(ready, seen);
        }
        StepContext context =
                withoutInterruptedTriggers(
                        JobExceptionEvents.withNewEvents(
                                ready.withDraft(draft -> draft.seen(seen.overview()))),
                        seen);
        return switch (seen.state()) {
            case RUNNING ->
                    seen.isUp() ? whenRunning(context, seen) : WaitForTasks.decide(context, seen);
            case INITIALIZING, CREATED -> WaitForTasks.decide(context, seen);
            case RESTARTING, FAILING, RECONCILING, SUSPENDED ->
                    context.withJobState(seen.state())
                            .decide(Reason.JOB_RESTARTING, context.soon());
            case CANCELLING ->
                    context.withJobState(seen.state())
                            .decide(Reason.JOB_CANCELLING, context.soon());
            case FAILED ->
                    EndedJob.recordEnd(JobExceptionEvents.withFailure(context), seen.state());
            case FINISHED, CANCELED -> EndedJob.recordEnd(context, seen.state());
        };
    }

    /** What was asked of the job comes to nothing where it does not run. */
    private static StepContext withoutInterruptedTriggers(StepContext context, JobView.Seen seen) {
        return seen.isUp()
                ? context
                : StateTriggers.withInterruptedTriggers(context, seen.state().isTerminal());
    }

    private static Decision whenRunning(StepContext context, JobView.Seen seen) {
        StepContext up = Downtime.end(context.withJobState(JobState.RUNNING), seen);
        StatusDraft draft = up.draft().stable(up.observed().spec());
        boolean failedForAnotherSpec =
                draft.attempt()
                        .stop()
                        .filter(
                                stop ->
                                        stop.generation()
                                                != context.observed().identity().generation())
                        .isPresent();
        return RunningJob.decide(
                up.withDraft(failedForAnotherSpec ? draft.withStop(Optional.empty()) : draft));
    }

    private static Optional<String> failure(StepContext context) {
        return context.draft().job().log().failure();
    }

    static Decision whenEnded(
            StepContext context, JobState state, Optional<Duration> checkAgain, Action... actions) {
        return switch (state) {
            case FINISHED ->
                    context.withDraft(draft -> draft.stable(context.observed().spec()))
                            .decide(Reason.JOB_FINISHED, "", checkAgain, actions);
            case CANCELED -> context.decide(Reason.JOB_CANCELED, "", checkAgain, actions);
            case FAILED ->
                    context.withEvent(
                                    ResourceEvent.of(
                                            "Job",
                                            OperatorEvent.ERROR,
                                            context.jobId() + "/failed",
                                            "The job failed: "
                                                    + failure(context)
                                                            .orElse(
                                                                    "its exceptions are in the JobManager's UI and log")))
                            .decide(
                                    Reason.JOB_FAILED,
                                    failure(context).orElse(""),
                                    checkAgain,
                                    actions);
            case INITIALIZING,
                    CREATED,
                    RUNNING,
                    FAILING,
                    CANCELLING,
                    RESTARTING,
                    SUSPENDED,
                    RECONCILING ->
                    throw new IllegalArgumentException(state + " is not terminal");
        };
    }
}
