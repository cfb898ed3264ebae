// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import io.sluice.api.json.Parsed;
import io.sluice.rules.job.JobRules;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.RuleSet;
import io.sluice.rules.review.SpecSize;
import io.sluice.rules.review.Violation;
import java.util.List;

/** The rules of a FlinkDeployment. */
public final class DeploymentRules {
    private static final RuleSet<DeploymentReview> SET =
            RuleSet.of(
                    IdentityRules.ALL,
                    List.of(SpecSize.RULE.on(DeploymentReview::size)),
                    VersionRules.ALL,
                    ConfigurationRules.ALL,
                    JobRules.CONFIGURATION.on(DeploymentReview::jobReview),
                    JobRules.SCALE.on(DeploymentReview::jobReview),
                    ScaleRules.ALL,
                    MemoryRules.ALL,
                    ResourceRules.ALL,
                    JobRules.STATE.on(DeploymentReview::jobReview),
                    JobRules.RESTORE.on(DeploymentReview::jobReview),
                    IngressRules.ALL,
                    PodTemplateRules.ALL,
                    PodSecurityRules.ALL,
                    RootContainerRules.ALL,
                    TenancyRules.ALL,
                    CronRules.ALL,
                    TransitionRules.ALL);

    public static final List<Rule<DeploymentReview>> ALL = SET.rules();

    private DeploymentRules() {}

    /** Every violation, fields of the wrong type first, then in the order of the rules. */
    public static List<Violation> check(Parsed<DeploymentReview> read) {
        return SET.check(read);
    }
}
