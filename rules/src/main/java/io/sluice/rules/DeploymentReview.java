// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.Parsed;
import io.sluice.api.ReconciledSpec;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.Optional;

/**
 * Everything the rules look at.
 *
 * @param old the spec the operator last took up; empty before the first deployment
 * @param effective the operator's defaults with the spec's own configuration on top
 */
public record DeploymentReview(
        String namespace,
        String name,
        FlinkDeploymentSpec spec,
        Optional<FlinkDeploymentSpec> old,
        FlinkConfiguration effective) {

    /** Gathers a review from a FlinkDeployment as it stands at the API server. */
    public static Parsed<DeploymentReview> read(
            ReviewRequest request, DefaultConfiguration defaults) {
        return read(
                request.namespace(),
                request.name(),
                request.resource().path("spec"),
                lastReconciled(request.resource()),
                defaults);
    }

    /** Gathers a review from a spec, the operator's with its defaults filled in. */
    public static Parsed<DeploymentReview> read(
            String namespace,
            String name,
            JsonNode spec,
            Optional<FlinkDeploymentSpec> old,
            DefaultConfiguration defaults) {
        var parsed = FlinkDeploymentSpec.parse(spec, "spec");
        var value = parsed.value();
        var effective =
                defaults.effective(namespace, value.flinkVersion(), value.flinkConfiguration());
        return new Parsed<>(
                new DeploymentReview(namespace, name, value, old, effective), parsed.problems());
    }

    /** This review as an update of {@code before}. */
    public DeploymentReview withOld(FlinkDeploymentSpec before) {
        return new DeploymentReview(namespace, name, spec, Optional.of(before), effective);
    }

    private static Optional<FlinkDeploymentSpec> lastReconciled(ObjectNode resource) {
        JsonNode last =
                resource.path("status").path("reconciliationStatus").path("lastReconciledSpec");
        return Optional.of(last)
                .filter(JsonNode::isTextual)
                .flatMap(text -> ReconciledSpec.decode(text.textValue()))
                .map(reconciled -> FlinkDeploymentSpec.parse(reconciled.spec(), "spec").value());
    }
}
