// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.diff.SpecDiff;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.TreeSet;

/** Which Flink a resource asks for, and what that Flink can take. */
public final class VersionRules {
    private static final String PATH = "spec.flinkVersion";

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "flink-version-required",
                            PATH,
                            "How the operator starts a cluster and talks to it depends on the"
                                    + " version.",
                            VersionRules::required),
                    new Rule<>(
                            "flink-version-unsupported",
                            PATH,
                            "Older versions lack the REST calls that keep state safe.",
                            VersionRules::supported),
                    new Rule<>(
                            "flink2-overlapping-config-keys",
                            "spec.flinkConfiguration",
                            "Flink 2 reads a nested config.yaml, where a key can't hold both a"
                                    + " value and further keys.",
                            VersionRules::overlapping));

    private VersionRules() {}

    private static List<FieldProblem> required(DeploymentReview review) {
        return Problems.when(
                review.spec().flinkVersion().isEmpty(),
                missing(PATH, "is missing; name the version in the image, for example v1_20"));
    }

    private static List<FieldProblem> supported(DeploymentReview review) {
        return review.spec().flinkVersion().stream()
                .filter(version -> !version.isSupported() && !startsNothing(review))
                .map(
                        version ->
                                at(
                                        PATH,
                                        version.wire(),
                                        "is no longer supported; move the job to v1_15 or later"))
                .toList();
    }

    /**
     * A job of an old version must not be held hostage: it can still be suspended, savepointed and
     * have changed what restarts nothing.
     */
    public static boolean startsNothing(DeploymentReview review) {
        return review.old()
                .filter(old -> old.flinkVersion().equals(review.spec().flinkVersion()))
                .filter(old -> isSuspended(review.spec()) || restartsNothing(old, review.spec()))
                .isPresent();
    }

    private static boolean isSuspended(FlinkDeploymentSpec spec) {
        return spec.job().filter(job -> job.state() == DesiredJobState.SUSPENDED).isPresent();
    }

    private static boolean restartsNothing(FlinkDeploymentSpec old, FlinkDeploymentSpec spec) {
        return SpecDiff.between(old, spec).effect().compareTo(SpecDiff.Effect.IGNORE) <= 0;
    }

    private static List<FieldProblem> overlapping(DeploymentReview review) {
        if (review.spec().flinkVersion().filter(v -> v.isAtLeast(FlinkVersion.V2_0)).isEmpty()) {
            return List.of();
        }
        var keys = new TreeSet<>(review.effective().entries().keySet());
        keys.removeIf(Option::isOurs);
        return keys.stream()
                .flatMap(
                        key ->
                                keys.tailSet(key + ".").stream()
                                        .limit(1)
                                        .filter(longer -> longer.startsWith(key + "."))
                                        .map(longer -> overlap(review, key, longer)))
                .toList();
    }

    private static FieldProblem overlap(DeploymentReview review, String key, String longer) {
        return at(
                review.jobReview(),
                key,
                "is also the beginning of '"
                        + longer
                        + "'; use the newer spelling of one of the two");
    }
}
