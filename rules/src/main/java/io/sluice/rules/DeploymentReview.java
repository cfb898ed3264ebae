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
            ObjectNode resource, DefaultConfiguration defaults) {
        JsonNode metadata = resource.path("metadata");
        String namespace = metadata.path("namespace").asText("");
        var parsed = FlinkDeploymentSpec.parse(resource.path("spec"), "spec");
        var spec = parsed.value();
        var review =
                new DeploymentReview(
                        namespace,
                        metadata.path("name").asText(""),
                        spec,
                        lastReconciled(resource),
                        defaults.effective(
                                namespace, spec.flinkVersion(), spec.flinkConfiguration()));
        return new Parsed<>(review, parsed.problems());
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
