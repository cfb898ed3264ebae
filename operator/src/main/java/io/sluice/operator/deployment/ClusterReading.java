// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.manifest.ManifestRenderer;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** A cluster's objects as a view. */
final class ClusterReading {
    private ClusterReading() {}

    static ClusterView of(Optional<Deployment> deployment, Collection<Pod> pods, Instant now) {
        return new ClusterView(
                deployment.map(ClusterReading::jobManager).orElseGet(JobManagerView.Absent::new),
                pods.size(),
                PodReading.problem(deployment, pods),
                Remnants.of(deployment, pods, now));
    }

    private static JobManagerView jobManager(Deployment deployment) {
        var metadata = deployment.getMetadata();
        if (metadata.getDeletionTimestamp() != null) {
            return new JobManagerView.Terminating();
        }
        Optional<String> attempt =
                Optional.ofNullable(metadata.getAnnotations())
                        .flatMap(
                                annotations ->
                                        Optional.ofNullable(
                                                annotations.get(
                                                        ManifestRenderer.ATTEMPT_ANNOTATION)));
        return new JobManagerView.Present(
                metadata.getUid(), attempt, isAvailable(deployment), wasEverAvailable(deployment));
    }

    private static boolean isAvailable(Deployment deployment) {
        return deployment.getStatus() != null
                && Optional.ofNullable(deployment.getStatus().getAvailableReplicas()).orElse(0) > 0;
    }

    /**
     * The contract's test: condition Available is False, and has been since the Deployment was
     * made.
     */
    private static boolean wasEverAvailable(Deployment deployment) {
        if (deployment.getStatus() == null) {
            return false;
        }
        Optional<DeploymentCondition> available =
                deployment.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("Available"))
                        .findFirst();
        return available
                .map(
                        condition ->
                                !condition.getStatus().equals("False")
                                        || !condition
                                                .getLastTransitionTime()
                                                .equals(
                                                        deployment
                                                                .getMetadata()
                                                                .getCreationTimestamp()))
                .orElse(false);
    }
}
