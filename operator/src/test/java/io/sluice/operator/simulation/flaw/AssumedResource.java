// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation.flaw;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.operator.decide.Specs;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What an operator with flaws takes a resource to be, in both of the places that say so. */
public record AssumedResource(ObjectNode spec, ObjectNode status) {
    public static AssumedResource of(FlinkDeployment resource, boolean ill, Set<Flaws> flaws) {
        var plain = new AssumedResource(resource.getSpec(), resource.getStatus());
        boolean isDeleted = resource.getMetadata().getDeletionTimestamp() != null;
        if (isDeleted && flaws.contains(Flaws.LAST_SAVEPOINT_SKIPPED)) {
            return plain.with("kubernetes.operator.job.savepoint-on-deletion", "false");
        }
        if (ill && flaws.contains(Flaws.UNHEALTHY_WITHOUT_METADATA)) {
            return plain.with("high-availability.type", "kubernetes");
        }
        return flaws.contains(Flaws.VERSION_NOT_NOTICED)
                ? plain.recording(spec -> Specs.withVersion(spec, Specs.version(plain.spec())))
                : plain;
    }

    private AssumedResource with(String key, String value) {
        return new AssumedResource(
                Specs.configured(spec, key, value),
                recording(recorded -> Specs.configured(recorded, key, value)).status());
    }

    private AssumedResource recording(UnaryOperator<ObjectNode> believing) {
        ObjectNode believed = status.deepCopy();
        ObjectNode reconciliation = believed.withObject("/reconciliationStatus");
        ReconciledSpec.decode(reconciliation.path("lastReconciledSpec").asText(""))
                .map(
                        recorded ->
                                new ReconciledSpec(
                                        believing.apply(recorded.spec()),
                                        recorded.firstDeployment()))
                .ifPresent(recorded -> reconciliation.put("lastReconciledSpec", recorded.encode()));
        return new AssumedResource(spec, believed);
    }
}
