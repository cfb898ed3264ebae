// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import static io.sluice.rules.review.Problems.isBlank;
import static io.sluice.rules.review.Problems.missing;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Rule;
import java.util.List;

/** Resources that are created from a backup. */
final class RestoreRules {
    private static final String PATH = "spec.job.initialSavepointPath";

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "restored-job-needs-state",
                            PATH,
                            "A backup has no status, so that the operator does not know the state"
                                    + " of a job that is created from it, and would start it"
                                    + " without.",
                            RestoreRules::state));

    private RestoreRules() {}

    private static List<FieldProblem> state(JobReview review) {
        return review
                .job()
                .filter(job -> job.upgradeMode() != UpgradeMode.STATELESS)
                .filter(job -> job.state() == DesiredJobState.RUNNING)
                .filter(job -> isBlank(job.initialSavepointPath()))
                .flatMap(_ -> review.backup())
                .map(RestoreRules::problem)
                .stream()
                .toList();
    }

    private static FieldProblem problem(String sign) {
        return missing(
                PATH,
                "is missing, and "
                        + sign
                        + ", which says that the resource comes from a backup: its job would start"
                        + " without its state; set the path of its newest savepoint or checkpoint,"
                        + " or take that out of the metadata to start the job without state");
    }
}
