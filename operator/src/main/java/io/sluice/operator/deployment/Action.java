// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.operator.manifest.ClusterPlan;
import java.util.Map;

/**
 * An effect on the world. Each is idempotent; none waits for its outcome, which a later pass
 * observes.
 */
public sealed interface Action {
    /**
     * Creates the cluster. Refused by the API server, and then without effect, while another
     * JobManager Deployment stands.
     */
    record CreateCluster(ClusterPlan plan) implements Action {}

    /**
     * Deletes the JobManager's Deployment in the foreground; Kubernetes removes what it owns,
     * TaskManagers included.
     */
    record DeleteCluster(String deploymentUid) implements Action {}

    /** Asks Flink to run the vertices within these bounds, by vertex id; the job goes on. */
    record ScaleInPlace(String jobId, Map<String, ParallelismBounds> bounds) implements Action {
        public ScaleInPlace {
            bounds = Map.copyOf(bounds);
        }
    }

    /** Lets the resource go: nothing of it is left. */
    record ReleaseResource() implements Action {}
}
