// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobManagerDeploymentState;
import java.util.Optional;

/** What is reported while a JobManager's pod is not ready, and of pods that can't run. */
final class PodTrouble {
    private PodTrouble() {}

    static Decision starting(Pass pass) {
        return pass.cluster()
                .problem()
                .map(problem -> troubled(pass, problem))
                .orElseGet(
                        () ->
                                unheard(pass, JobManagerDeploymentState.DEPLOYING)
                                        .decided(
                                                Reason.WAITING_FOR_JOB_MANAGER,
                                                delay(pass),
                                                Optional.of(pass.soon())));
    }

    /** What a pod waits for, in Kubernetes' own words, as long as it may come by itself. */
    static String delay(Pass pass) {
        return pass.cluster().podFacts().delay().map(ClusterView.PodProblem::text).orElse("");
    }

    private static Decision troubled(Pass pass, ClusterView.PodProblem problem) {
        return told(unheard(pass, JobManagerDeploymentState.ERROR), problem);
    }

    /** The JobManager is in {@code state}, and can't tell of the job. */
    static Pass unheard(Pass pass, JobManagerDeploymentState state) {
        return pass.with(pass.draft().with(state).unheard(pass.snapshot().now()));
    }

    /** A pod says why it can't run; it is watched, so nothing has to be polled fast. */
    static Decision told(Pass pass, ClusterView.PodProblem problem) {
        return pass.telling(
                        Note.warning(
                                "JobManagerDeployment",
                                problem.reason(),
                                pass.jobId() + "/" + problem.reason(),
                                problem.message()))
                .decided(
                        Reason.POD_PROBLEM,
                        problem.text(),
                        Optional.of(pass.snapshot().polls().steady()));
    }
}
