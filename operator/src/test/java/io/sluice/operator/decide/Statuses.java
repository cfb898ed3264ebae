// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.FlinkDeploymentStatus;
import java.util.Optional;

/** Copies of a status in which one part is another, as a human or a tool may write them. */
final class Statuses {
    private Statuses() {}

    /** With {@code spec} as the last reconciled one. */
    static FlinkDeploymentStatus withLastSpec(Optional<String> spec, FlinkDeploymentStatus status) {
        return status.withReconciliationStatus(
                status.reconciliationStatus().withLastReconciledSpec(spec));
    }

    /** As the API server holds it. */
    static ObjectNode stored(FlinkDeploymentStatus status) {
        return status.onto(JsonNodeFactory.instance.objectNode());
    }

    /** As the API server holds it, once somebody has removed the attempt. */
    static ObjectNode withoutAttempt(FlinkDeploymentStatus status) {
        ObjectNode stored = stored(status);
        stored.remove("attempt");
        return stored;
    }
}
