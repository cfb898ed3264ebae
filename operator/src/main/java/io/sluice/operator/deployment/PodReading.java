// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.operator.deployment.ClusterView.PodProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds in pods, and in the Deployments' own conditions, what keeps a pod from running. */
final class PodReading {
    private static final String CRASHED = "CrashLoopBackOff";
    private static final String PULL_FAILED = "ErrImagePull";
    private static final String WAITS_TO_PULL = "ImagePullBackOff";

    /** What it puts before its message while it waits, as it does since Kubernetes 1.31. */
    private static final Pattern PULL_PREFIX =
            Pattern.compile("^Back-off pulling image \"[^\"]*\": ErrImagePull: ");

    private static final String NO_MESSAGE = "no message";
    private static final String CAUSED_BY = "Caused by: ";
    private static final Pattern EXCEPTION = Pattern.compile("^[\\w.$]+(Exception|Error)\\b");
    private static final int CAUSE_LENGTH = 400;
    private static final Set<String> FATAL_WAITS =
            Set.of(
                    CRASHED,
                    WAITS_TO_PULL,
                    PULL_FAILED,
                    "ErrImageNeverPull",
                    "InvalidImageName",
                    "RunContainerError",
                    "CreateContainerConfigError",
                    "CreateContainerError");

    private static final Duration MOUNTED_SOON = Duration.ofSeconds(30);

    private PodReading() {}

    /**
     * A JobManager's pod that has been waiting for longer than volumes take to be mounted, without
     * saying why. Where it has containers that go before the others, those wait by another name.
     */
    static Optional<Pod> waitingForVolumes(Collection<Pod> pods, Instant now) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(PodReading::isJobManager)
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

    private static boolean isJobManager(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .filter(labels -> "jobmanager".equals(labels.get("component")))
                .isPresent();
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
     * @param taskManagers of a standalone cluster; Flink itself makes those of a native one
     */
    static Optional<PodProblem> problem(
            Optional<Deployment> jobManager,
            Optional<Deployment> taskManagers,
            Collection<Pod> pods) {
        return Stream.of(
                        jobManager.stream().flatMap(found -> refusedPods("JobManager", found)),
                        taskManagers.stream().flatMap(found -> refusedPods("TaskManagers", found)),
                        pods.stream()
                                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                                .flatMap(PodReading::ofPod))
                .flatMap(problems -> problems)
                .findFirst();
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
        // The kubelet goes back and forth between the two; a user has one problem.
        String reason =
                waiting.getReason().equals(PULL_FAILED) ? WAITS_TO_PULL : waiting.getReason();
        return Stream.of(new PodProblem(reason, where + said(status)));
    }

    /**
     * How a container ended before says more than that it waits to be started again, for longer
     * each time.
     */
    private static String said(ContainerStatus status) {
        var waiting = status.getState().getWaiting();
        Optional<String> message =
                Optional.ofNullable(waiting.getMessage())
                        .map(text -> PULL_PREFIX.matcher(text).replaceFirst(""));
        Optional<String> ended =
                Optional.ofNullable(status.getLastState())
                        .flatMap(last -> Optional.ofNullable(last.getTerminated()))
                        .map(PodReading::ended);
        if (CRASHED.equals(waiting.getReason())) {
            return ended.or(() -> message).orElse(NO_MESSAGE);
        }
        return message.orElse(NO_MESSAGE)
                + ended.map(before -> " (before that it " + before + ")").orElse("");
    }

    private static String ended(ContainerStateTerminated end) {
        return "ended with exit code %d, %s%s"
                .formatted(
                        end.getExitCode(),
                        end.getReason(),
                        Optional.ofNullable(end.getMessage())
                                .flatMap(PodReading::cause)
                                .map(cause -> ": " + cause)
                                .orElse(""));
    }

    /**
     * The innermost cause in the end of a container's log, which the kubelet hands over as its
     * message (see {@code terminationMessagePolicy}).
     */
    private static Optional<String> cause(String log) {
        List<String> lines = log.lines().map(String::strip).toList();
        Predicate<String> innermost = line -> line.startsWith(CAUSED_BY);
        Predicate<String> thrown = line -> EXCEPTION.matcher(line).find();
        return Stream.of(innermost, thrown)
                .flatMap(wanted -> lines.reversed().stream().filter(wanted).limit(1))
                .findFirst()
                .map(line -> line.startsWith(CAUSED_BY) ? line.substring(CAUSED_BY.length()) : line)
                .map(line -> line.substring(0, Math.min(line.length(), CAUSE_LENGTH)));
    }
}
