// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.function.Function;

/** A template of a cron job's runs: a FlinkDeployment with the annotation. */
final class CronRules {
    private static final String FIELD = CronAnnotations.path(CronAnnotations.EXPRESSION);
    private static final int LONGEST_NAME = 36;

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "cron-expression",
                            FIELD,
                            "If the expression matches no time, no run ever starts.",
                            ofTemplate(review -> problems(review, true))),
                    new Rule<>(
                            "cron-options",
                            CronAnnotations.path(CronAnnotations.EXPRESSION + ".*"),
                            "An option that can't be read would be ignored, and runs would start,"
                                    + " overlap or be deleted otherwise than the user wants.",
                            ofTemplate(review -> problems(review, false))),
                    new Rule<>(
                            "cron-needs-job",
                            "spec.job",
                            "A run is an application, which ends. A session cluster does not end.",
                            ofTemplate(CronRules::job)),
                    new Rule<>(
                            "cron-name-length",
                            "metadata.name",
                            "A run is called {name}-{MMddHHmm}, and Flink allows 45 characters.",
                            ofTemplate(CronRules::name)),
                    new Rule<>(
                            "cron-on-new-resource",
                            FIELD,
                            "A resource that has run can't become a template, because its job and"
                                    + " the job's state would be left behind.",
                            ofTemplate(CronRules::isNew)));

    private CronRules() {}

    private static Function<DeploymentReview, List<FieldProblem>> ofTemplate(
            Function<DeploymentReview, List<FieldProblem>> check) {
        return review ->
                CronAnnotations.isTemplate(review.annotations()) ? check.apply(review) : List.of();
    }

    private static List<FieldProblem> problems(DeploymentReview review, boolean ofExpression) {
        return CronAnnotations.read(review.annotations()).problems().stream()
                .filter(problem -> problem.path().equals(FIELD) == ofExpression)
                .toList();
    }

    private static List<FieldProblem> job(DeploymentReview review) {
        return when(
                review.spec().job().isEmpty(),
                missing(
                        "spec.job",
                        "is missing; name the job to run, or remove the annotation "
                                + CronAnnotations.EXPRESSION));
    }

    private static List<FieldProblem> name(DeploymentReview review) {
        return when(
                review.name().length() > LONGEST_NAME,
                at(
                        "metadata.name",
                        review.name(),
                        "must have at most 36 characters with the annotation "
                                + CronAnnotations.EXPRESSION
                                + "; create the resource under such a name"));
    }

    private static List<FieldProblem> isNew(DeploymentReview review) {
        return when(
                review.old().isPresent(),
                at(
                        FIELD,
                        review.annotations().getOrDefault(CronAnnotations.EXPRESSION, ""),
                        "can't be given to a resource that has run; create a new one with it"));
    }
}
