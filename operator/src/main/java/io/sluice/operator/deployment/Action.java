// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.RunRequest;
import io.sluice.flink.rest.StopRequest;
import io.sluice.operator.artifact.JarSource;
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
     * Deletes the JobManager's Deployment; Kubernetes removes what it owns, TaskManagers included.
     * Flink's high-availability metadata stays.
     */
    record DeleteCluster(String deploymentUid, Propagation propagation) implements Action {
        DeleteCluster(String deploymentUid) {
            this(deploymentUid, Propagation.FOREGROUND);
        }
    }

    /** In which order Kubernetes removes a Deployment and what it owns. */
    enum Propagation {
        FOREGROUND("Foreground"),
        BACKGROUND("Background");

        private final String wire;

        Propagation(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    /**
     * Asks Flink to end the job with a savepoint; recorded before under the same trigger, so that
     * asking again changes nothing.
     */
    record StopWithSavepoint(String jobId, StopRequest request) implements Action {}

    /** Asks Flink to cancel the job; its checkpoints stay. */
    record CancelJob(String jobId) implements Action {}

    /** Asks Flink to run the vertices within these bounds, by vertex id; the job goes on. */
    record ScaleInPlace(String jobId, Map<String, ParallelismBounds> bounds) implements Action {
        public ScaleInPlace {
            bounds = Map.copyOf(bounds);
        }
    }

    /** Fetches a session job's jar and hands it to its cluster's JobManager. */
    record UploadJar(String attempt, JarSource source) implements Action {}

    /**
     * Asks the JobManager to run an uploaded jar; recorded before under the same job id, so that
     * asking again starts no second job.
     */
    record RunJar(String attempt, String jarId, RunRequest request) implements Action {}

    /** Removes an uploaded jar from the JobManager's disk; a running job does not need it. */
    record DeleteJar(String jarId) implements Action {}

    /** Lets the resource go: nothing of it is left. */
    record ReleaseResource() implements Action {}
}
