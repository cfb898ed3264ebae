// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.Optional;

/** Reports why a JobManager's pod is not ready, or that pods can't run. */
public final class PodTrouble {
    private PodTrouble() {}

    public static Decision waitForJobManager(StepContext context) {
        return context.cluster()
                .problem()
                .map(problem -> reportStartProblem(context, problem))
                .orElseGet(
                        () ->
                                withoutAnswer(context, JobManagerDeploymentState.DEPLOYING)
                                        .decide(
                                                Reason.WAITING_FOR_JOB_MANAGER,
                                                delay(context),
                                                Optional.of(context.soon())));
    }

    /** What a pod waits for, in Kubernetes' own words, as long as it may come by itself. */
    public static String delay(StepContext context) {
        return context.cluster().podFacts().delay().map(ClusterView.PodProblem::text).orElse("");
    }

    private static Decision reportStartProblem(
            StepContext context, ClusterView.PodProblem problem) {
        return reportPodProblem(withoutAnswer(context, JobManagerDeploymentState.ERROR), problem);
    }

    /** The JobManager is in {@code state}, and can't tell of the job. */
    public static StepContext withoutAnswer(StepContext context, JobManagerDeploymentState state) {
        return context.withDraft(
                draft -> draft.withJobManager(state).withUnknownJobState(context.observed().now()));
    }

    /** A pod says why it can't run; it is watched, so nothing has to be polled fast. */
    public static Decision reportPodProblem(StepContext context, ClusterView.PodProblem problem) {
        return context.withEvent(
                        ResourceEvent.warning(
                                "JobManagerDeployment",
                                problem,
                                context.jobId() + "/" + problem.reason()))
                .decide(
                        Reason.POD_PROBLEM,
                        problem.text(),
                        Optional.of(context.observed().polls().steady()));
    }
}
