// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentSpec;
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
final class SpecReading {
    private SpecReading() {}

    static SpecView of(
            FlinkDeployment resource, Optional<TakenUp> takenUp, DefaultConfiguration defaults) {
        ObjectNode raw = Defaults.apply(resource.getSpec());
        Parsed<FlinkDeploymentSpec> parsed = FlinkDeploymentSpec.parse(raw, "spec");
        DeploymentReview review =
                new DeploymentReview(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        parsed.value(),
                        takenUp.map(TakenUp::spec),
                        defaults.effective(
                                resource.getMetadata().getNamespace(),
                                parsed.value().flinkVersion(),
                                parsed.value().flinkConfiguration()));
        List<Violation> violations = DeploymentRules.check(new Parsed<>(review, parsed.problems()));
        return violations.isEmpty()
                ? new SpecView.Valid(parsed.value(), raw)
                : new SpecView.Invalid(violations.stream().map(Violation::text).toList());
    }
}
