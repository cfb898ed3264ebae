// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.Condition;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What the running JobManager says of the job. */
final class Observation {
    private static final String STILL_WAITS =
            "That takes longer than five minutes. An edit replaces this attempt, with what it was to start"
                    + " from.";

    private Observation() {}

    static Decision decide(Pass pass) {
        if (pass.snapshot().target() instanceof Target.SessionCluster session) {
            return SessionCluster.observed(pass, session);
        }
        return switch (pass.snapshot().job()) {
            case JobView.NotAsked _ -> silent(pass, "", Silence.NO_ANSWER);
            case JobView.Unreachable(var message, var silence) -> silent(pass, message, silence);
            case JobView.NotListed _ -> unlisted(JobFacts.ready(pass));
            case JobView.Seen seen -> seen(JobFacts.ready(pass), seen);
        };
    }

    /**
     * A JobManager that has just started lists nothing yet; one that keeps the result of a job that
     * has ended does not list it any more.
     */
    private static Decision unlisted(Pass pass) {
        Optional<JobState> ended = JobFacts.recordedEnd(pass);
        if (ended.isPresent()) {
            return Ended.recorded(pass, ended.get());
        }
        Pass missed = JobFacts.missed(pass);
        boolean runsAgain =
                missed.isSessionJob() && missed.discardsState() && !JobFacts.isMissed(missed);
        if (runsAgain && JobFacts.isGone(missed)) {
            return Hosted.again(missed);
        }
        if (JobFacts.isUnsubmitted(missed)) {
            return missed.decided(
                    Reason.WAITING_FOR_SUBMISSION,
                    STILL_WAITS,
                    Optional.of(pass.snapshot().polls().steady()));
        }
        return JobFacts.isGone(missed)
                ? missed.telling(
                                Note.warning(
                                        "Job",
                                        "Missing",
                                        pass.attempt().orElse(""),
                                        "The JobManager runs and lists no job"))
                        .decided(
                                Reason.JOB_NOT_FOUND,
                                KnownState.hint(pass),
                                Optional.of(pass.snapshot().polls().steady()))
                : missed.decided(Reason.WAITING_FOR_SUBMISSION, pass.soon());
    }

    /** No answer: what was known stays known, only its state is in doubt. */
    private static Decision silent(Pass pass, String message, Silence silence) {
        Pass unheard = pass.with(pass.draft().unheard(pass.snapshot().now()));
        boolean isReady = pass.draft().jobManager() == JobManagerDeploymentState.READY;
        return isReady || silence == Silence.TOO_LARGE
                ? unheard.unanswered(silence, Reason.JOB_UNREACHABLE, message)
                : unheard.with(unheard.draft().with(JobManagerDeploymentState.DEPLOYED_NOT_READY))
                        .decided(Reason.WAITING_FOR_REST, pass.soon());
    }

    private static Decision seen(Pass ready, JobView.Seen seen) {
        if (JobFacts.isSucceededBy(ready, seen)) {
            return LostRun.decide(ready, seen);
        }
        Pass pass = kept(JobExceptions.told(ready.with(ready.draft().seen(seen.overview()))), seen);
        return switch (seen.state()) {
            case RUNNING -> seen.isUp() ? running(pass) : waitingForTasks(pass);
            case INITIALIZING, CREATED -> waitingForTasks(pass);
            case RESTARTING, FAILING, RECONCILING, SUSPENDED ->
                    pass.seeing(seen.state()).decided(Reason.JOB_RESTARTING, pass.soon());
            case CANCELLING ->
                    pass.seeing(seen.state()).decided(Reason.JOB_CANCELLING, pass.soon());
            case FAILED -> Ended.seen(JobExceptions.failed(pass), seen.state());
            case FINISHED, CANCELED -> Ended.seen(pass, seen.state());
        };
    }

    /** What was asked of the job comes to nothing where it does not run. */
    private static Pass kept(Pass pass, JobView.Seen seen) {
        return seen.isUp() ? pass : Saving.interrupted(pass, seen.state().isTerminal());
    }

    /** Where a TaskManager's pod can't run, the JobManager and the job are as they were. */
    private static Decision waitingForTasks(Pass pass) {
        Pass waiting = pass.seeing(JobState.CREATED);
        return pass.cluster()
                .problem()
                .map(problem -> PodTrouble.told(waiting, problem))
                .orElseGet(
                        () ->
                                waiting.decided(
                                        Reason.WAITING_FOR_TASKS,
                                        PodTrouble.delay(pass),
                                        Optional.of(pass.soon())));
    }

    private static Decision running(Pass pass) {
        Pass up = pass.seeing(JobState.RUNNING);
        Draft draft = up.draft().stable();
        boolean failedForAnotherSpec =
                draft.attempt()
                        .stop()
                        .filter(
                                stop ->
                                        stop.generation()
                                                != pass.snapshot().identity().generation())
                        .isPresent();
        return Upkeep.decide(
                up.with(failedForAnotherSpec ? draft.with(draft.attempt().withoutStop()) : draft));
    }

    private static Optional<String> failure(Pass pass) {
        return pass.draft().job().log().failure();
    }

    static Decision terminal(
            Pass pass, JobState state, Optional<Duration> checkAgain, Action... actions) {
        return switch (state) {
            case FINISHED ->
                    pass.with(pass.draft().stable())
                            .decided(Reason.JOB_FINISHED, "", checkAgain, actions);
            case CANCELED -> pass.decided(Reason.JOB_CANCELED, "", checkAgain, actions);
            case FAILED ->
                    pass.telling(
                                    Note.warning(
                                            "Job",
                                            "Error",
                                            pass.jobId() + "/failed",
                                            "The job failed: "
                                                    + failure(pass)
                                                            .orElse(
                                                                    "its exceptions are in the JobManager's UI and log")))
                            .decided(
                                    Reason.JOB_FAILED,
                                    failure(pass).orElse(""),
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
