// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.JobSpec;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Rule;
import java.util.List;

/** How many slots a job asks for. */
final class ParallelismRules {
    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "parallelism-min",
                            "spec.job.parallelism",
                            "A job needs at least one slot, from its parallelism or from a number"
                                    + " of TaskManagers.",
                            ParallelismRules::parallelism));

    private ParallelismRules() {}

    private static List<FieldProblem> parallelism(JobReview review) {
        if (review.sizedByReplicas()) {
            return List.of();
        }
        return review.job().stream()
                .filter(job -> job.parallelism().orElse(0) < 1)
                .map(ParallelismRules::problem)
                .toList();
    }

    private static FieldProblem problem(JobSpec job) {
        return new FieldProblem(
                "spec.job.parallelism",
                job.parallelism().map(String::valueOf).orElse(""),
                job.parallelism().isPresent()
                        ? "must be at least 1"
                        : "is missing; set it to at least 1");
    }
}
