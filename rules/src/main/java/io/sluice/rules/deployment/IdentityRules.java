// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.isBlank;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.regex.Pattern;

/** Under which name and account a cluster runs. */
public final class IdentityRules {
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z\\d]{0,43}[a-z\\d])?");

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "name-format",
                            "metadata.name",
                            "Flink names Services and pods after the resource, which leaves 45"
                                    + " characters.",
                            review ->
                                    when(
                                            !isName(review.name()),
                                            at(
                                                    "metadata.name",
                                                    review.name(),
                                                    "must have 1 to 45 lower-case letters, digits"
                                                            + " or '-', start with a letter and"
                                                            + " not end with '-'; create the"
                                                            + " resource under such a name"))),
                    new Rule<>(
                            "name-collision",
                            "metadata.name",
                            "The objects of a cluster are named after its resource. If two clusters"
                                    + " need an object of the same name, the second can't start.",
                            IdentityRules::collisions),
                    new Rule<>(
                            "service-account-required",
                            "spec.serviceAccount",
                            "Without one the JobManager runs as the namespace's default account,"
                                    + " which has no right to start TaskManagers.",
                            review ->
                                    when(
                                            isBlank(review.spec().serviceAccount()),
                                            missing(
                                                    "spec.serviceAccount",
                                                    "is missing; name the service account that"
                                                            + " Flink's pods run as, which is"
                                                            + " 'flink' where the chart's"
                                                            + " jobNamespaces created one"))));

    private IdentityRules() {}

    private static List<FieldProblem> collisions(DeploymentReview review) {
        return review.shared().stream()
                .map(
                        shared ->
                                at(
                                        "metadata.name",
                                        review.name(),
                                        "needs the %s '%s', which FlinkDeployment '%s' of the same namespace needs, too; choose another name"
                                                .formatted(
                                                        shared.kind(),
                                                        shared.name(),
                                                        shared.other())))
                .toList();
    }

    /** Whether a FlinkDeployment may be called so. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
