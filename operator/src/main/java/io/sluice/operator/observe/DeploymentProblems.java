// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.observe.pod.PodProblems;
import io.sluice.operator.observe.pod.PodRole;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds in the Deployments of a cluster, and in its pods, what keeps a pod from running. */
public final class DeploymentProblems {
    private DeploymentProblems() {}

    /**
     * The first problem; none of it is something that may yet come by itself.
     *
     * @param taskManagers of a standalone cluster; Flink itself makes those of a native one
     */
    static Optional<PodProblem> problem(
            Optional<Deployment> jobManager,
            Optional<Deployment> taskManagers,
            Collection<Pod> pods,
            Instant now) {
        return Stream.of(
                        jobManager.flatMap(DeploymentProblems::scaledToZero).stream(),
                        jobManager.stream().flatMap(found -> refusedPods("JobManager", found)),
                        taskManagers.stream().flatMap(found -> refusedPods("TaskManagers", found)),
                        PodProblems.problems(pods, now))
                .flatMap(problems -> problems)
                .findFirst();
    }

    /**
     * Whether all pods of the JobManager say that they can't run, or none can be made. One that is
     * on its way out, or out of reach, says nothing of the kind and may run on.
     */
    static boolean isJobManagerBroken(Optional<Deployment> jobManager, Collection<Pod> pods) {
        List<Pod> own = pods.stream().filter(PodRole::isJobManager).toList();
        boolean refused = jobManager.filter(it -> refusedPods("", it).count() > 0).isPresent();
        boolean unwanted = jobManager.flatMap(DeploymentProblems::scaledToZero).isPresent();
        return (refused || unwanted || !own.isEmpty())
                && own.stream().allMatch(PodProblems::isBroken);
    }

    /** Somebody, or a downscaler, wants no pod of it: then there is none that could say why. */
    public static Optional<PodProblem> scaledToZero(Deployment deployment) {
        return Optional.ofNullable(deployment.getSpec())
                .flatMap(spec -> Optional.ofNullable(spec.getReplicas()))
                .filter(replicas -> replicas == 0)
                .filter(_ -> !JobManagerScaleDown.isMarked(deployment))
                .map(_ -> deployment.getMetadata())
                .filter(metadata -> metadata.getDeletionTimestamp() == null)
                .map(
                        metadata ->
                                new PodProblem(
                                        "ScaledToZero",
                                        "Deployment '%s' was scaled to 0 replicas. Scale it up again: kubectl scale deployment %s --namespace %s --replicas=1"
                                                .formatted(
                                                        metadata.getName(),
                                                        metadata.getName(),
                                                        metadata.getNamespace())));
    }

    /**
     * A quota, a missing service account, or Pod Security: the ReplicaSet can't create the pod at
     * all.
     */
    private static Stream<PodProblem> refusedPods(String whose, Deployment deployment) {
        if (deployment.getStatus() == null) {
            return Stream.empty();
        }
        return deployment.getStatus().getConditions().stream()
                .filter(
                        condition ->
                                condition.getType().equals("ReplicaFailure")
                                        && condition.getStatus().equals("True"))
                .map(
                        condition ->
                                new PodProblem(
                                        condition.getReason(),
                                        whose + ": " + condition.getMessage()));
    }
}
