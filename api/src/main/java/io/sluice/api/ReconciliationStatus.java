// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code status.reconciliationStatus}: the operator's durable memory of what it took up.
 *
 * @param lastReconciledSpec see {@link ReconciledSpec}
 * @param lastStableSpec the literal copy of {@code lastReconciledSpec} that was last seen to run
 *     well
 */
public record ReconciliationStatus(
        Optional<Instant> reconciliationTimestamp,
        Optional<String> lastReconciledSpec,
        Optional<String> lastStableSpec,
        ReconciliationState state) {
    public static final ReconciliationStatus EMPTY =
            new ReconciliationStatus(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    ReconciliationState.UPGRADING);

    /** Whether the spec last taken up has been seen to run well. */
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
