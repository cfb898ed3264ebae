// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationStatus;
import java.util.Optional;

/**
 * The spec the operator last took up, as its status remembers it.
 *
 * @param encoded the literal string of {@code lastReconciledSpec}
 */
public record TakenUp(
        String encoded, FlinkDeploymentSpec spec, ObjectNode raw, boolean firstDeployment) {
    /** Reads what a status remembers; empty if it remembers nothing that can be read. */
    public static Optional<TakenUp> from(ReconciliationStatus status) {
        return status.lastReconciledSpec()
                .flatMap(
                        encoded ->
                                ReconciledSpec.decode(encoded)
                                        .map(
                                                decoded ->
                                                        new TakenUp(
                                                                encoded,
                                                                FlinkDeploymentSpec.parse(
                                                                                decoded.spec(),
                                                                                "spec")
                                                                        .value(),
                                                                decoded.spec(),
                                                                decoded.firstDeployment())));
    }
}
