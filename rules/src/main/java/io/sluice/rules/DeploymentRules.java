// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import io.sluice.api.FieldProblem;
import io.sluice.api.Parsed;
import java.util.List;
import java.util.stream.Stream;

/** The rules of a FlinkDeployment. */
public final class DeploymentRules {
    /** The id under which a field of the wrong JSON type is reported. */
    public static final String FIELD_TYPE = "field-type";

    public static final List<Rule<DeploymentReview>> ALL =
            Stream.of(
                            IdentityRules.ALL,
                            VersionRules.ALL,
                            ConfigurationRules.ALL,
                            ScaleRules.ALL,
                            MemoryRules.ALL,
                            ResourceRules.ALL,
                            StateRules.ALL,
                            IngressRules.ALL,
                            TransitionRules.ALL)
                    .flatMap(List::stream)
                    .toList();

    private DeploymentRules() {}

    /** Every violation, in the order of the rules. */
    public static List<Violation> check(DeploymentReview review) {
        return ALL.stream()
                .flatMap(
                        rule ->
                                rule.check().apply(review).stream()
                                        .map(problem -> new Violation(rule.id(), problem)))
                .toList();
    }

    /**
     * Every violation of what was read, fields of the wrong type first. What a rule finds at such a
     * field is only its echo, and is left out.
     */
    public static List<Violation> check(Parsed<DeploymentReview> read) {
        Stream<Violation> types =
                read.problems().stream().map(problem -> new Violation(FIELD_TYPE, problem));
        Stream<Violation> rest =
                check(read.value()).stream()
                        .filter(
                                violation ->
                                        read.problems().stream()
                                                .noneMatch(
                                                        type -> covers(type, violation.problem())));
        return Stream.concat(types, rest).toList();
    }

    private static boolean covers(FieldProblem type, FieldProblem other) {
        return other.path().equals(type.path())
                || other.path().startsWith(type.path() + ".")
                || other.path().startsWith(type.path() + "[");
    }
}
