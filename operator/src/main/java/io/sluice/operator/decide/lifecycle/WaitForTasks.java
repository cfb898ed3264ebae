// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.PodTrouble;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that Flink has accepted and not all of whose tasks run. Where a TaskManager's pod can't
 * run, the JobManager and the job are left as they are.
 */
final class WaitForTasks {
    /**
     * How long a JobManager may have no TaskManager at all before somebody is told to look at it.
     * It asks for their pods at once, and again every few seconds where the API server refuses
     * them. A job waits for slots for five minutes, by {@code slot.request.timeout}, before it
     * fails and is restarted.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private WaitForTasks() {}

    static Decision decide(StepContext context, JobView.Seen seen) {
        StepContext waiting = context.withJobState(JobState.CREATED);
        return context.cluster()
                .problem()
                .map(problem -> PodTrouble.reportPodProblem(waiting, problem))
                .orElseGet(
                        () ->
                                hasNoTaskManager(context, seen)
                                        ? reportNoTaskManager(waiting)
                                        : waiting.decide(
                                                Reason.WAITING_FOR_TASKS,
                                                PodTrouble.delay(context),
                                                Optional.of(context.soon())));
    }

    /** In standalone mode the Deployment of the TaskManagers says why it has none. */
    private static boolean hasNoTaskManager(StepContext context, JobView.Seen seen) {
        return context.target() instanceof Target.Application
                && context.spec().mode() == DeploymentMode.NATIVE
                && !context.cluster().podFacts().hasNativeTaskManagers()
                && context.observed().now().isAfter(lastChange(seen).plus(PATIENCE));
    }

    /** When the job or one of its tasks last changed, by the JobManager's clock. */
    private static Instant lastChange(JobView.Seen seen) {
        Instant started = seen.overview().startTime();
        Instant changed = seen.overview().lastChange();
        return changed.isAfter(started) ? changed : started;
    }

    /** The pods are watched, so that nothing has to be polled fast. */
    private static Decision reportNoTaskManager(StepContext waiting) {
        return waiting.withEvent(
                        ResourceEvent.warning(
                                waiting.target().component(),
                                Reason.NO_TASK_MANAGERS,
                                waiting.jobId(),
                                Reason.NO_TASK_MANAGERS.text()))
                .decide(
                        Reason.NO_TASK_MANAGERS,
                        "",
                        Optional.of(waiting.observed().polls().steady()));
    }
}
