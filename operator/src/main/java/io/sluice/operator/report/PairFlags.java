// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.status.Condition;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import java.util.Optional;

/**
 * What is shown of a pair as of every resource.
 *
 * @param behind generations that the status does not tell of
 */
record PairFlags(boolean ready, boolean stalled, long behind) {
    static PairFlags of(ObjectMeta metadata, FlinkBlueGreenDeploymentStatus status) {
        long generation = Optional.ofNullable(metadata.getGeneration()).orElse(0L);
        return new PairFlags(
                holds(status, "Ready"),
                holds(status, "Stalled"),
                Math.max(0, generation - status.observedGeneration().orElse(0L)));
    }

    private static boolean holds(FlinkBlueGreenDeploymentStatus status, String type) {
        return status.condition(type)
                .filter(it -> it.status() == Condition.Status.TRUE)
                .isPresent();
    }
}
