// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import io.sluice.api.spec.JobReference;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.deployment.PodSecurityRules;
import io.sluice.rules.job.RestrictedKeys;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.Warning;
import io.sluice.rules.sessionjob.SessionJobReview;
import io.sluice.rules.snapshot.SnapshotReview;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is accepted, and yet worth telling whoever wrote it: first what the edit will do, then what
 * is odd.
 */
public final class Advice {
    private static final String CHECKS_DEFERRED = "checks-deferred";
    private static final String TARGET_NOT_FOUND = "target-not-found";

    private static final RuleSet<JobReview> JOB =
            RuleSet.of(RestrictedKeys.ADVICE, ConfigurationAdvice.ALL);
    private static final RuleSet<DeploymentReview> DEPLOYMENT =
            RuleSet.of(
                    PodSecurityRules.ADVICE,
                    DeploymentAdvice.ALL,
                    JOB.on(DeploymentReview::jobReview));
    private static final RuleSet<SnapshotReview> SNAPSHOT = RuleSet.of(SnapshotAdvice.ALL);

    /**
     * All there is, for the reference; the check of the last three follows from no one resource.
     */
    public static final List<Rule<?>> ALL =
            Stream.of(
                            DEPLOYMENT.rules(),
                            SNAPSHOT.rules(),
                            List.of(
                                    told(
                                            EditEffect.ID,
                                            "spec",
                                            "An edit of a deployed resource says what it will do, and"
                                                    + " which fields ask for it."),
                                    told(
                                            TARGET_NOT_FOUND,
                                            "spec.deploymentName",
                                            "The session cluster does not exist yet; what depends on"
                                                    + " it is checked once it does."),
                                    told(
                                            CHECKS_DEFERRED,
                                            "spec.deploymentName, spec.jobReference.name",
                                            "Nobody could say whether the other resource exists; what"
                                                    + " depends on it is checked later.")))
                    .<Rule<?>>flatMap(List::stream)
                    .toList();

    private Advice() {}

    public static List<Warning> of(DeploymentReview review) {
        List<Warning> warnings = new ArrayList<>();
        review.old().flatMap(old -> EditEffect.of(old, review.spec())).ifPresent(warnings::add);
        warnings.addAll(DEPLOYMENT.advise(review));
        return warnings;
    }

    /** What is odd about the children of a pair. */
    public static List<Warning> ofTemplate(DeploymentReview child) {
        return DEPLOYMENT.advise(child);
    }

    public static List<Warning> of(SessionJobReview review, Lookup.Answer cluster) {
        List<Warning> warnings = new ArrayList<>();
        review.old().flatMap(old -> EditEffect.of(old, review.spec())).ifPresent(warnings::add);
        review.spec()
                .deploymentName()
                .ifPresent(name -> warnings.addAll(missing(cluster, "spec.deploymentName", name)));
        warnings.addAll(JOB.advise(review.jobReview()));
        return warnings;
    }

    public static List<Warning> of(SnapshotReview review) {
        List<Warning> warnings = new ArrayList<>();
        if (!review.spec().isRegistration() && review.target() instanceof Lookup.Unknown) {
            review.spec()
                    .jobReference()
                    .flatMap(JobReference::name)
                    .ifPresent(
                            name ->
                                    warnings.addAll(
                                            missing(
                                                    review.target(),
                                                    "spec.jobReference.name",
                                                    name)));
        }
        warnings.addAll(SNAPSHOT.advise(review));
        return warnings;
    }

    private static List<Warning> missing(Lookup.Answer answer, String path, String name) {
        return switch (answer) {
            case Lookup.Found _ -> List.of();
            case Lookup.Absent _ ->
                    List.of(
                            new Warning(
                                    TARGET_NOT_FOUND,
                                    path,
                                    "'"
                                            + name
                                            + "' does not exist yet; what depends on it is checked"
                                            + " once it does"));
            case Lookup.Unknown _ ->
                    List.of(
                            new Warning(
                                    CHECKS_DEFERRED,
                                    path,
                                    "'"
                                            + name
                                            + "' could not be looked up; what depends on it is"
                                            + " checked later"));
        };
    }

    private static Rule<?> told(String id, String field, String why) {
        return new Rule<Object>(id, field, why, _ -> List.of());
    }
}
