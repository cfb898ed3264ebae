// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.operator.observe.pod.VolumeMountFailures;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what belongs to a FlinkDeployment, from caches or from the API server. */
public interface ChildReader {
    /** What the caches hold of the children. */
    ChildResources cached();

    /** The same, asked of the API server; only where a start or an end depends on it. */
    ChildResources live(FlinkDeployment resource);

    /** The session jobs of a cluster, asked of the API server; only before the cluster goes. */
    List<FlinkSessionJob> sessionJobs(FlinkDeployment resource);

    /**
     * The ids of the jobs whose high-availability metadata names a checkpoint, asked of the API
     * server.
     */
    Set<String> recoverable(FlinkDeployment resource);

    /** What keeps the volumes of a pod that waits from being mounted; empty if nothing does. */
    Optional<String> mountFailure(Pod pod);

    /**
     * Whether a transition of the pair that this is a half of is in progress, asked of the API
     * server; only where the autoscaler asks for another size than the half has.
     */
    boolean isBetweenHalves(FlinkDeployment resource, PairHalf half);

    /**
     * Reads from Kubernetes.
     *
     * @param cached what the caches hold
     * @param mounts reads what keeps volumes from being mounted
     */
    static ChildReader of(
            KubernetesClient client, ChildResources cached, VolumeMountFailures mounts) {
        return new ChildReader() {
            @Override
            public ChildResources cached() {
                return cached;
            }

            @Override
            public ChildResources live(FlinkDeployment resource) {
                return ChildResources.live(client, resource);
            }

            @Override
            public List<FlinkSessionJob> sessionJobs(FlinkDeployment resource) {
                return ChildResources.sessionJobs(client, resource);
            }

            @Override
            public Set<String> recoverable(FlinkDeployment resource) {
                return ChildResources.recoverable(client, resource);
            }

            @Override
            public Optional<String> mountFailure(Pod pod) {
                return mounts.failure(pod);
            }

            @Override
            public boolean isBetweenHalves(FlinkDeployment resource, PairHalf half) {
                return ChildResources.isBetweenHalves(
                        client, resource.getMetadata().getNamespace(), half);
            }
        };
    }
}
