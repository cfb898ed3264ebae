// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ClusterView.PodProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds in pods what keeps them from running. */
public final class PodProblems {
    private static final Duration MOUNTED_SOON = Duration.ofSeconds(30);

    /**
     * How long a pod may wait for a node, or for its volumes, before that counts as a problem: a
     * cluster autoscaler, and a volume that is being provisioned, take minutes.
     */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    /** No JobManager that is created later than this after its Deployment counts as the first. */
    private static final Duration FIRST_POD = Duration.ofSeconds(10);

    private PodProblems() {}

    /**
     * A JobManager's pod that has been waiting for longer than volumes take to be mounted, without
     * saying why. Where it has containers that go before the others, those wait by another name.
     */
    public static Optional<Pod> waitingForVolumes(Collection<Pod> pods, Instant now) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(PodRole::isJobManager)
                .filter(pod -> isOlderThan(MOUNTED_SOON, pod, now))
                .filter(pod -> pod.getStatus() != null)
                .filter(
                        pod ->
                                isWaiting(
                                                pod.getStatus().getContainerStatuses(),
                                                "ContainerCreating")
                                        || isWaiting(
                                                pod.getStatus().getInitContainerStatuses(),
                                                "PodInitializing"))
                .findFirst();
    }

    /**
     * Whether the pod's node does not answer. A kubelet says that a pod is ready when its
     * containers are and its readiness gates hold; Kubernetes says that it is not ready in place of
     * a kubelet that it does not hear, and says nothing of the containers.
     */
    public static boolean isOutOfReach(Pod pod) {
        return pod.getStatus() != null
                && isCondition(pod, "ContainersReady", "True")
                && isCondition(pod, "Ready", "False")
                && !hasReadinessGates(pod);
    }

    private static boolean isCondition(Pod pod, String type, String status) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(it -> it.getType().equals(type) && it.getStatus().equals(status));
    }

    private static boolean hasReadinessGates(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(it -> "ReadinessGatesNotReady".equals(it.getReason()));
    }

    private static boolean isOlderThan(Duration age, Pod pod, Instant now) {
        return Optional.ofNullable(pod.getMetadata().getCreationTimestamp())
                .map(Instant::parse)
                .filter(created -> created.plus(age).isBefore(now))
                .isPresent();
    }

    private static boolean isWaiting(List<ContainerStatus> containers, String reason) {
        return containers.stream()
                .anyMatch(
                        container ->
                                container.getState() != null
                                        && container.getState().getWaiting() != null
                                        && reason.equals(
                                                container.getState().getWaiting().getReason()));
    }

    /**
     * Whether a pod that waits for its volumes may still get them: for {@link #PATIENCE} from when
     * the node's kubelet took it on.
     */
    public static boolean mayYetBeMounted(Pod pod, Instant now) {
        return Optional.ofNullable(pod.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getStartTime()))
                .or(() -> Optional.ofNullable(pod.getMetadata().getCreationTimestamp()))
                .map(Instant::parse)
                .filter(since -> now.isBefore(since.plus(PATIENCE)))
                .isPresent();
    }

    /**
     * What a pod waits for that may yet come by itself; the JobManager's before that of a
     * TaskManager.
     */
    public static Optional<PodProblem> delay(Collection<Pod> pods, Instant now) {
        return staying(pods)
                .sorted(Comparator.comparing(PodRole::isJobManager).reversed())
                .flatMap(pod -> unschedulable(pod, condition -> mayYetBePlaced(condition, now)))
                .findFirst();
    }

    private static boolean mayYetBePlaced(PodCondition condition, Instant now) {
        return Optional.ofNullable(condition.getLastTransitionTime())
                .map(Instant::parse)
                .filter(since -> now.isBefore(since.plus(PATIENCE)))
                .isPresent();
    }

    /**
     * Whether the one pod of the JobManager was created with its Deployment, and no container of it
     * has ever been started again. Of two JobManagers one may have led before the other.
     */
    public static boolean isFirstProcess(Deployment jobManager, Collection<Pod> pods) {
        List<Pod> own = pods.stream().filter(PodRole::isJobManager).toList();
        Instant latest =
                Instant.parse(jobManager.getMetadata().getCreationTimestamp()).plus(FIRST_POD);
        return own.size() == 1
                && own.stream()
                        .allMatch(
                                pod ->
                                        pod.getMetadata().getDeletionTimestamp() == null
                                                && pod.getStatus() != null
                                                && isCreatedBy(latest, pod)
                                                && containers(pod).noneMatch(PodProblems::isAgain));
    }

    private static boolean isCreatedBy(Instant latest, Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getCreationTimestamp())
                .map(Instant::parse)
                .filter(created -> !created.isAfter(latest))
                .isPresent();
    }

    private static boolean isAgain(ContainerStatus status) {
        return Optional.ofNullable(status.getRestartCount()).orElse(0) > 0;
    }

    /** What keeps pods from running, without what may yet come by itself. */
    public static Stream<PodProblem> problems(Collection<Pod> pods, Instant now) {
        return staying(pods).flatMap(pod -> ofPod(pod, found -> !mayYetBePlaced(found, now)));
    }

    /** Whether the pod can't run as it is now, though that may yet change by itself. */
    public static boolean isBroken(Pod pod) {
        return ofPod(pod, _ -> true).findFirst().isPresent();
    }

    /** Containers that were killed for their memory and do not wait: most run again by now. */
    public static List<Kill> kills(Collection<Pod> pods) {
        return staying(pods)
                .filter(pod -> pod.getStatus() != null)
                .flatMap(
                        pod ->
                                containers(pod)
                                        .flatMap(it -> ContainerProblems.kill(pod, it).stream()))
                .toList();
    }

    private static Stream<Pod> staying(Collection<Pod> pods) {
        return pods.stream().filter(pod -> pod.getMetadata().getDeletionTimestamp() == null);
    }

    private static Stream<ContainerStatus> containers(Pod pod) {
        return Stream.of(
                        pod.getStatus().getInitContainerStatuses(),
                        pod.getStatus().getContainerStatuses())
                .flatMap(List::stream);
    }

    /**
     * @param counts whether a pod that finds no node, by this condition, counts
     */
    private static Stream<PodProblem> ofPod(Pod pod, Predicate<PodCondition> counts) {
        return pod.getStatus() == null
                ? Stream.empty()
                : Stream.concat(
                        unschedulable(pod, counts),
                        containers(pod).flatMap(it -> ContainerProblems.problem(pod, it).stream()));
    }

    private static Stream<PodProblem> unschedulable(Pod pod, Predicate<PodCondition> counts) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .filter(condition -> condition.getStatus().equals("False"))
                .filter(condition -> "Unschedulable".equals(condition.getReason()))
                .filter(counts)
                .map(
                        condition ->
                                new PodProblem(
                                        "Unschedulable",
                                        "pod "
                                                + pod.getMetadata().getName()
                                                + ": "
                                                + condition.getMessage()));
    }
}
