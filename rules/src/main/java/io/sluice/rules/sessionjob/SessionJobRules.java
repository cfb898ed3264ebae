// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.sessionjob;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.rules.deployment.IdentityRules;
import io.sluice.rules.job.JobRules;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.SpecSize;
import io.sluice.rules.review.Violation;
import java.util.List;
import java.util.Optional;

/** The rules of a FlinkSessionJob. */
public final class SessionJobRules {
    private static final String CLUSTER = "spec.deploymentName";

    /** What the resource alone decides. */
    private static final List<Rule<SessionJobReview>> OWN =
            List.of(
                    SpecSize.RULE.on(SessionJobReview::size),
                    new Rule<>(
                            "deployment-name-format",
                            CLUSTER,
                            "Every session cluster has a name of this form.",
                            SessionJobRules::nameFormat),
                    new Rule<>(
                            "session-job-required",
                            "spec.job",
                            "Without it there is no job to run.",
                            review ->
                                    when(
                                            review.spec().job().isEmpty(),
                                            missing(
                                                    "spec.job",
                                                    "is missing; say which jar to run, and with"
                                                            + " which parallelism"))),
                    new Rule<>(
                            "deployment-name-immutable",
                            CLUSTER,
                            "A job and its state can't move to another cluster.",
                            SessionJobRules::moved));

    /** What only the session cluster decides. */
    private static final List<Rule<SessionJobReview>> CLUSTERS =
            List.of(
                    new Rule<>(
                            "session-job-needs-session-cluster",
                            CLUSTER,
                            "An application cluster runs its own job and no other.",
                            SessionJobRules::application),
                    new Rule<>(
                            "session-cluster-name-match",
                            CLUSTER,
                            "A job must run only on the cluster that it names.",
                            SessionJobRules::otherName));

    private static final RuleSet<SessionJobReview> ALONE = RuleSet.of(OWN, JarRules.ALL);
    private static final RuleSet<SessionJobReview> WITH_CLUSTER =
            RuleSet.of(OWN, JarRules.ALL, CLUSTERS, JobRules.ALL.on(SessionJobReview::jobReview));
    private static final RuleSet<SessionJobReview> WITHOUT_CLUSTER =
            RuleSet.of(
                    ALONE.rules(),
                    JobRules.SCALE.on(SessionJobReview::jobReview),
                    JobRules.RESTORE.on(SessionJobReview::jobReview));

    /** All, in the order in which they are reported; those of any job come last. */
    public static final List<Rule<?>> ALL = List.copyOf(WITH_CLUSTER.rules());

    private SessionJobRules() {}

    public static List<Violation> check(Parsed<SessionJobReview> read) {
        return (read.value().cluster().isPresent() ? WITH_CLUSTER : WITHOUT_CLUSTER).check(read);
    }

    private static List<FieldProblem> nameFormat(SessionJobReview review) {
        String name = review.spec().deploymentName().orElse("");
        return when(
                !IdentityRules.isName(name),
                at(
                        CLUSTER,
                        name,
                        "names no session cluster; write the name of a FlinkDeployment: 1 to 45"
                                + " lower-case letters, digits or '-', starting with a letter and"
                                + " not ending with '-'"));
    }

    private static List<FieldProblem> moved(SessionJobReview review) {
        Optional<String> before = review.old().flatMap(FlinkSessionJobSpec::deploymentName);
        return when(
                before.isPresent() && !before.equals(review.spec().deploymentName()),
                at(
                        CLUSTER,
                        review.spec().deploymentName().orElse(""),
                        "cannot follow '"
                                + before.orElse("")
                                + "'; create a new resource for the other cluster"));
    }

    private static List<FieldProblem> application(SessionJobReview review) {
        return when(
                review.cluster().flatMap(cluster -> cluster.job()).isPresent(),
                at(
                        CLUSTER,
                        review.spec().deploymentName().orElse(""),
                        "is an application cluster with a job of its own; name a FlinkDeployment"
                                + " without spec.job"));
    }

    private static List<FieldProblem> otherName(SessionJobReview review) {
        return review.clusterName().stream()
                .filter(name -> !Optional.of(name).equals(review.spec().deploymentName()))
                .map(
                        name ->
                                at(
                                        CLUSTER,
                                        review.spec().deploymentName().orElse(""),
                                        "was found under the name '" + name + "'; name that one"))
                .toList();
    }
}
