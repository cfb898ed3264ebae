// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.status.TriggerType;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.manifest.ClusterPlan;
import io.sluice.operator.artifact.JarSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An effect on Kubernetes or on Flink. Each is idempotent; none waits for its outcome, which a
 * later reconciliation observes.
 */
public sealed interface Action {
    /** What the JobManager of a running job is asked for; nobody waits for what comes of it. */
    sealed interface OfJob extends Action {}

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
        public DeleteCluster(String deploymentUid) {
            this(deploymentUid, Propagation.FOREGROUND);
        }
    }

    /**
     * Marks the JobManager's Deployment as one that is being removed and scales it to zero, so that
     * its JobManager is gone before its TaskManagers are. See {@code JobManagerScaleDown}.
     */
    record StopJobManager(String deploymentUid) implements Action {}

    /**
     * Deletes the Deployment of a standalone cluster's TaskManagers, which another operator made
     * for the resource, or somebody cut off from its JobManager. Without effect while a
     * JobManager's Deployment stands.
     */
    record DeleteTaskManagers(String deploymentUid, Propagation propagation) implements Action {}

    /** The order in which Kubernetes removes a Deployment and what it owns. */
    enum Propagation {
        FOREGROUND("Foreground"),
        BACKGROUND("Background");

        private final String wire;

        Propagation(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    /**
     * Asks Flink to end the job with a savepoint; recorded before under the same trigger, so that
     * asking again changes nothing.
     */
    record StopWithSavepoint(String jobId, StopRequest request) implements OfJob {}

    /** Asks Flink to cancel the job; its checkpoints stay. */
    record CancelJob(String jobId) implements OfJob {}

    /** Asks Flink for a savepoint while the job runs on; recorded before under the same trigger. */
    record TriggerSavepoint(String jobId, SavepointRequest request) implements OfJob {}

    /** Asks Flink for a checkpoint now; recorded before under the same trigger. */
    record TriggerCheckpoint(String jobId, CheckpointRequest request) implements OfJob {}

    /** Asks Flink to delete a savepoint; one that is gone already is no harm. */
    record DisposeSavepoint(String location) implements OfJob {}

    /** Asks Flink to run the vertices within these bounds, by vertex id; the job goes on. */
    record ScaleInPlace(String jobId, Map<String, ParallelismBounds> bounds) implements OfJob {
        public ScaleInPlace {
            bounds = Collections.unmodifiableMap(new LinkedHashMap<>(bounds));
        }
    }

    /**
     * Makes the Deployment of a standalone cluster's TaskManagers, if it is not there, else gives
     * it its size. Without effect while no JobManager of the plan's attempt stands, or of another
     * operator's making.
     */
    record ProvideTaskManagers(ClusterPlan plan) implements Action {}

    /**
     * Makes the Services of the cluster, if they are not there; those that are there stay as they
     * are.
     */
    record ProvideServices(ClusterPlan plan) implements Action {}

    /**
     * Makes the ConfigMap that the containers of the cluster mount, if it is not there. Without
     * effect once another attempt is on record.
     */
    record ProvideConfiguration(ClusterPlan plan) implements Action {}

    /**
     * Creates a pod that pulls the images of {@code plan} and does nothing else. Without effect if
     * it exists.
     *
     * @param name of the pod
     */
    record PullImages(ClusterPlan plan, String name) implements Action {}

    /** Deletes a pod that pulled images. */
    record DeletePullPod(String name, String uid) implements Action {}

    /** Fetches a session job's jar and hands it to its cluster's JobManager. */
    record UploadJar(String attempt, JarSource source) implements Action {}

    /**
     * Asks the JobManager to run an uploaded jar; recorded before under the same job id, so that
     * asking again starts no second job.
     */
    record RunJar(String attempt, String jarId, RunRequest request) implements Action {}

    /** Removes an uploaded jar from the JobManager's disk; a running job does not need it. */
    record DeleteJar(String jarId) implements Action {}

    /**
     * Creates the FlinkStateSnapshot that the status has on record, if there is none of its name.
     * If the API server refuses, the next observation says so.
     *
     * @param inheritedLabels keys of the labels that it has of its job, so that the operator serves
     *     it where a label selector says what it serves
     */
    record CreateSnapshot(
            String name,
            TriggerType type,
            FlinkStateSnapshotSpec spec,
            List<String> inheritedLabels)
            implements Action {
        public CreateSnapshot {
            inheritedLabels = List.copyOf(inheritedLabels);
        }
    }

    /** Lets the resource go. */
    sealed interface Release extends Action {}

    /** Nothing of it is left but Flink's high-availability metadata, which is deleted. */
    record ReleaseResource() implements Release {}

    /**
     * It never had a cluster: of Flink's high-availability metadata only that of {@code jobId} can
     * be its own, and no more is deleted.
     */
    record ReleaseUnbegun(Optional<String> jobId) implements Release {}
}
