// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.operator.deployment.ClusterView.PodProblem;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds in pods, and in the Deployment's own conditions, what keeps a pod from running. */
final class PodReading {
    private static final Set<String> FATAL_WAITS =
            Set.of(
                    "CrashLoopBackOff",
                    "ImagePullBackOff",
                    "ErrImagePull",
                    "ErrImageNeverPull",
                    "InvalidImageName",
                    "RunContainerError",
                    "CreateContainerConfigError",
                    "CreateContainerError");

    private PodReading() {}

    static Optional<PodProblem> problem(Optional<Deployment> jobManager, Collection<Pod> pods) {
        return Stream.concat(
                        jobManager.stream().flatMap(PodReading::refusedPods),
                        pods.stream()
                                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                                .flatMap(PodReading::ofPod))
                .findFirst();
    }

    /**
     * A quota, a missing service account, or Pod Security: the ReplicaSet can't create the pod at
     * all.
     */
    private static Stream<PodProblem> refusedPods(Deployment deployment) {
        if (deployment.getStatus() == null) {
            return Stream.empty();
        }
        return deployment.getStatus().getConditions().stream()
                .filter(
                        condition ->
                                condition.getType().equals("ReplicaFailure")
                                        && condition.getStatus().equals("True"))
                .map(condition -> new PodProblem(condition.getReason(), condition.getMessage()));
    }

    private static Stream<PodProblem> ofPod(Pod pod) {
        if (pod.getStatus() == null) {
            return Stream.empty();
        }
        Stream<PodProblem> unschedulable =
                pod.getStatus().getConditions().stream()
                        .filter(
                                condition ->
                                        condition.getType().equals("PodScheduled")
                                                && condition.getStatus().equals("False")
                                                && "Unschedulable".equals(condition.getReason()))
                        .map(
                                condition ->
                                        new PodProblem(
                                                "Unschedulable",
                                                "pod "
                                                        + pod.getMetadata().getName()
                                                        + ": "
                                                        + condition.getMessage()));
        Stream<PodProblem> containers =
                Stream.of(
                                pod.getStatus().getInitContainerStatuses(),
                                pod.getStatus().getContainerStatuses())
                        .flatMap(List::stream)
                        .flatMap(status -> ofContainer(pod, status));
        return Stream.concat(unschedulable, containers);
    }

    private static Stream<PodProblem> ofContainer(Pod pod, ContainerStatus status) {
        if (status.getState() == null || status.getState().getWaiting() == null) {
            return Stream.empty();
        }
        var waiting = status.getState().getWaiting();
        if (waiting.getReason() == null || !FATAL_WAITS.contains(waiting.getReason())) {
            return Stream.empty();
        }
        String where =
                "pod " + pod.getMetadata().getName() + ", container " + status.getName() + ": ";
        return Stream.of(new PodProblem(waiting.getReason(), where + said(status)));
    }

    /**
     * What the container said last: how it ended before, if it ever ran, says more than that it is
     * not started again.
     */
    private static String said(ContainerStatus status) {
        String waiting =
                Optional.ofNullable(status.getState().getWaiting().getMessage())
                        .orElse("no message");
        return Optional.ofNullable(status.getLastState())
                .flatMap(last -> Optional.ofNullable(last.getTerminated()))
                .map(
                        ended ->
                                waiting
                                        + " (last ended with exit code "
                                        + ended.getExitCode()
                                        + ", "
                                        + ended.getReason()
                                        + ")")
                .orElse(waiting);
    }
}
