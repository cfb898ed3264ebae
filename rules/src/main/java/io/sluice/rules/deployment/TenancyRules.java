// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.Options;
import io.sluice.rules.pattern.Placeholders;
import io.sluice.rules.review.Rule;
import io.sluice.rules.tenancy.Grant;
import io.sluice.rules.tenancy.Request;
import java.util.List;
import java.util.stream.Stream;

/**
 * What users may not do alone is not done for them, unless the operator's configuration says so.
 */
final class TenancyRules {
    static final List<Rule<DeploymentReview>> ALL =
            Stream.of(Grant.values())
                    .map(
                            grant ->
                                    new Rule<DeploymentReview>(
                                            grant.rule(),
                                            grant.field(),
                                            grant.why(),
                                            review -> find(grant, review)))
                    .toList();

    private TenancyRules() {}

    private static List<FieldProblem> find(Grant grant, DeploymentReview review) {
        return grant.objections(
                new Request(
                        review.spec(),
                        PodTemplateRules.of(review.spec()),
                        new Placeholders(review.namespace(), review.name())),
                new Options(review.granted()));
    }
}
