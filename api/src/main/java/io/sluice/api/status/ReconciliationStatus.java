// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code status.reconciliationStatus}: the operator's durable memory of the spec it reconciled
 * last.
 *
 * @param lastReconciledSpec see {@link ReconciledSpec}
 * @param lastStableSpec the literal copy of {@code lastReconciledSpec} that was last seen to run
 *     well
 */
@RecordBuilder
public record ReconciliationStatus(
        Optional<Instant> reconciliationTimestamp,
        Optional<String> lastReconciledSpec,
        Optional<String> lastStableSpec,
        ReconciliationState state)
        implements ReconciliationStatusBuilder.With {
    public static final ReconciliationStatus EMPTY =
            ReconciliationStatusBuilder.builder().state(ReconciliationState.UPGRADING).build();

    /** Whether the last reconciled spec has been seen to run well. */
    public boolean isStable() {
        return lastReconciledSpec.isPresent() && lastReconciledSpec.equals(lastStableSpec);
    }

    static ReconciliationStatus read(Fields fields) {
        return new ReconciliationStatus(
                fields.int64("reconciliationTimestamp").map(Instant::ofEpochMilli),
                fields.string("lastReconciledSpec"),
                fields.string("lastStableSpec"),
                fields.choice("state", ReconciliationState.WORDS)
                        .orElse(ReconciliationState.UPGRADING));
    }

    void writeTo(ObjectNode node) {
        reconciliationTimestamp.ifPresentOrElse(
                at -> node.put("reconciliationTimestamp", at.toEpochMilli()),
                () -> node.remove("reconciliationTimestamp"));
        StatusJson.put(node, "lastReconciledSpec", lastReconciledSpec);
        StatusJson.put(node, "lastStableSpec", lastStableSpec);
        node.put("state", state.wire());
    }
}
