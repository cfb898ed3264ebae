// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import java.util.Set;

/** What an operator with flaws takes a resource to be, in both of the places that say so. */
record Belief(ObjectNode spec, ObjectNode status) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Belief of(FlinkDeployment resource, boolean ill, Set<Flaws> flaws) {
        var plain = new Belief(resource.getSpec(), resource.getStatus());
        boolean isDeleted = resource.getMetadata().getDeletionTimestamp() != null;
        if (isDeleted && flaws.contains(Flaws.LAST_SAVEPOINT_SKIPPED)) {
            return plain.with("kubernetes.operator.job.savepoint-on-deletion", "false");
        }
        if (ill && flaws.contains(Flaws.UNHEALTHY_WITHOUT_METADATA)) {
            return plain.with("high-availability.type", "kubernetes");
        }
        return plain;
    }

    private Belief with(String key, String value) {
        ObjectNode believed = status.deepCopy();
        ObjectNode reconciliation = believed.withObject("/reconciliationStatus");
        String recorded = reconciliation.path("lastReconciledSpec").asText("");
        if (!recorded.isEmpty()) {
            reconciliation.put("lastReconciledSpec", recorded(recorded, key, value));
        }
        return new Belief(Specs.configured(spec, key, value), believed);
    }

    private static String recorded(String text, String key, String value) {
        try {
            ObjectNode recorded = (ObjectNode) JSON.readTree(text);
            recorded.withObject("/spec/flinkConfiguration").put(key, value);
            return recorded.toString();
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException(text, broken);
        }
    }
}
