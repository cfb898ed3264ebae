// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** What the controller of Deployments tells of one. */
public final class ReplicaStatus {
    /** A quota does not let it create pods. */
    public static final Map<String, Object> REFUSED =
            Map.of(
                    "conditions",
                    List.of(
                            Map.of(
                                    "type",
                                    "ReplicaFailure",
                                    "status",
                                    "True",
                                    "reason",
                                    "FailedCreate",
                                    "message",
                                    "exceeded quota: compute")));

    private ReplicaStatus() {}

    /**
     * @param ready how many of the wanted pods are
     * @param hasBeen whether any ever was
     * @param since when it became available, or ceased to be
     */
    public static Map<String, Object> of(int wanted, int ready, boolean hasBeen, Instant since) {
        boolean isAvailable = ready > 0 && ready >= wanted;
        return Map.of(
                "replicas",
                wanted,
                "availableReplicas",
                ready,
                "readyReplicas",
                ready,
                "conditions",
                List.of(
                        Map.of(
                                "type",
                                "Available",
                                "status",
                                isAvailable ? "True" : "False",
                                "lastTransitionTime",
                                since.truncatedTo(ChronoUnit.SECONDS).toString()),
                        Map.of(
                                "type",
                                "Progressing",
                                "status",
                                "True",
                                "reason",
                                hasBeen ? "NewReplicaSetAvailable" : "ReplicaSetUpdated")));
    }
}
