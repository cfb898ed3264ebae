// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.Parsed;
import io.sluice.rules.DeploymentReview;
import io.sluice.rules.DeploymentRules;
import io.sluice.rules.Violation;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.defaults.Defaults;
import java.util.List;
import java.util.Optional;

/**
 * Reads a spec with the same defaults and rules as the webhook, so that the two cannot disagree.
 */
public final class SpecReading {
    private SpecReading() {}

    /** The spec of {@code resource}, or everything that is wrong with it. */
    public static SpecView of(
            FlinkDeployment resource, Optional<TakenUp> takenUp, DefaultConfiguration defaults) {
        ObjectNode raw = Defaults.apply(resource.getSpec());
        Parsed<DeploymentReview> review =
                DeploymentReview.read(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        raw,
                        takenUp.map(TakenUp::spec),
                        defaults);
        List<Violation> violations = DeploymentRules.check(review);
        return violations.isEmpty()
                ? new SpecView.Valid(review.value().spec(), raw)
                : new SpecView.Invalid(violations.stream().map(Violation::text).toList());
    }
}
