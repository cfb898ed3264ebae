// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import java.time.Duration;
import java.util.Optional;

/** What the running JobManager says of the job. */
final class Observation {
    private Observation() {}

    static Decision decide(Pass pass) {
        return switch (pass.snapshot().job()) {
            case JobView.NotAsked _ -> silent(pass, "");
            case JobView.Unreachable(var message) -> silent(pass, message);
            case JobView.NotListed _ ->
                    ready(pass).decided(Reason.WAITING_FOR_SUBMISSION, pass.soon());
            case JobView.Seen seen -> seen(ready(pass), seen);
        };
    }

    private static Pass ready(Pass pass) {
        return pass.with(pass.draft().with(JobManagerDeploymentState.READY));
    }

    /** No answer: what was known stays known, only its state is in doubt. */
    private static Decision silent(Pass pass, String message) {
        if (pass.draft().jobManager() != JobManagerDeploymentState.READY) {
            return pass.with(pass.draft().with(JobManagerDeploymentState.DEPLOYED_NOT_READY))
                    .decided(Reason.WAITING_FOR_REST, pass.soon());
        }
        boolean wasDone = pass.draft().job().state().map(JobState::isTerminal).orElse(false);
        return (wasDone
                        ? pass
                        : pass.with(pass.draft().with(JobState.RECONCILING, pass.snapshot().now())))
                .decided(Reason.JOB_UNREACHABLE, message, Optional.of(pass.soon()));
    }

    private static Decision seen(Pass ready, JobView.Seen seen) {
        Pass pass = ready.with(ready.draft().seen(seen.overview()));
        return switch (seen.state()) {
            case RUNNING -> seen.isUp() ? running(pass) : waitingForTasks(pass);
            case INITIALIZING, CREATED -> waitingForTasks(pass);
            case RESTARTING, FAILING, RECONCILING, SUSPENDED ->
                    pass.seeing(seen.state()).decided(Reason.JOB_RESTARTING, pass.soon());
            case CANCELLING ->
                    pass.seeing(seen.state()).decided(Reason.JOB_CANCELLING, pass.soon());
            case FAILED, FINISHED, CANCELED ->
                    terminal(
                            pass.seeing(seen.state()),
                            seen.state(),
                            Optional.of(pass.snapshot().polls().steady()));
        };
    }

    private static Decision waitingForTasks(Pass pass) {
        Pass waiting = pass.seeing(JobState.CREATED);
        return pass.cluster()
                .problem()
                .map(problem -> Pipeline.troubled(waiting, problem))
                .orElseGet(() -> waiting.decided(Reason.WAITING_FOR_TASKS, pass.soon()));
    }

    private static Decision running(Pass pass) {
        Pass up = pass.seeing(JobState.RUNNING);
        return Scaling.decide(up.with(up.draft().stable()));
    }

    static Decision terminal(Pass pass, JobState state, Optional<Duration> checkAgain) {
        return switch (state) {
            case FINISHED ->
                    pass.with(pass.draft().stable()).decided(Reason.JOB_FINISHED, "", checkAgain);
            case CANCELED -> pass.decided(Reason.JOB_CANCELED, "", checkAgain);
            case FAILED ->
                    pass.telling(
                                    Note.warning(
                                            "Job",
                                            "Error",
                                            pass.jobId() + "/failed",
                                            "The job failed; its exceptions are in the JobManager's UI and log"))
                            .decided(Reason.JOB_FAILED, "", checkAgain);
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
