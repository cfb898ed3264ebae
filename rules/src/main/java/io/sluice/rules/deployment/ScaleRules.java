// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.Options;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Optional;

/** How many of each there are. */
final class ScaleRules {
    private static final String JM_REPLICAS = "spec.jobManager.replicas";
    private static final String TM_REPLICAS = "spec.taskManager.replicas";
    private static final String AT_LEAST_ONE = "must be at least 1";

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "job-tm-replicas-min",
                            TM_REPLICAS,
                            "A job without TaskManagers waits for slots forever. To stop it,"
                                    + " suspend it.",
                            review ->
                                    when(
                                            review.spec().job().isPresent()
                                                    && isBelowOne(taskManagers(review)),
                                            at(
                                                    TM_REPLICAS,
                                                    taskManagers(review).orElse(0),
                                                    AT_LEAST_ONE
                                                            + "; to stop the job set"
                                                            + " spec.job.state: suspended"))),
                    new Rule<>(
                            "tm-replicas-min",
                            TM_REPLICAS,
                            "A session cluster with a fixed number of TaskManagers needs one.",
                            review ->
                                    when(
                                            review.spec().job().isEmpty()
                                                    && isBelowOne(taskManagers(review)),
                                            at(
                                                    TM_REPLICAS,
                                                    taskManagers(review).orElse(0),
                                                    AT_LEAST_ONE + ", or be left out"))),
                    new Rule<>(
                            "jm-replicas-min",
                            JM_REPLICAS,
                            "A cluster needs a JobManager.",
                            review ->
                                    when(
                                            isBelowOne(jobManagers(review)),
                                            at(
                                                    JM_REPLICAS,
                                                    jobManagers(review).orElse(0),
                                                    AT_LEAST_ONE + ", or be left out"))),
                    new Rule<>(
                            "standby-jm-needs-ha",
                            JM_REPLICAS,
                            "Standby JobManagers elect a leader through high availability.",
                            ScaleRules::standby));

    private ScaleRules() {}

    private static List<FieldProblem> standby(DeploymentReview review) {
        int replicas = jobManagers(review).orElse(1);
        return when(
                replicas > 1 && !new Options(review.effective()).isHighlyAvailable(),
                at(
                        JM_REPLICAS,
                        replicas,
                        "needs high availability; set high-availability.type: kubernetes and"
                                + " high-availability.storageDir, or use 1"));
    }

    private static Optional<Integer> jobManagers(DeploymentReview review) {
        return review.spec().jobManager().replicas();
    }

    private static Optional<Integer> taskManagers(DeploymentReview review) {
        return review.spec().taskManager().replicas();
    }

    private static boolean isBelowOne(Optional<Integer> replicas) {
        return replicas.filter(count -> count < 1).isPresent();
    }
}
