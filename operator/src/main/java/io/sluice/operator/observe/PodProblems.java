// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
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
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds in pods, and in the Deployments' own conditions, what keeps a pod from running. */
public final class PodProblems {
    private static final String KILLED = "OOMKilled";
    private static final String MAIN_CONTAINER = "flink-main-container";
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
    static Optional<Pod> waitingForVolumes(Collection<Pod> pods, Instant now) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(PodProblems::isJobManager)
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

    static boolean isJobManager(Pod pod) {
        return component(pod).equals("jobmanager");
    }

    /** Whether it is one that a JobManager of a native cluster has asked for. */
    static boolean isNativeTaskManager(Pod pod) {
        return component(pod).equals("taskmanager")
                && "flink-native-kubernetes".equals(pod.getMetadata().getLabels().get("type"));
    }

    private static String component(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get("component")))
                .orElse("");
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
    static boolean mayYetBeMounted(Pod pod, Instant now) {
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
    static Optional<PodProblem> delay(Collection<Pod> pods, Instant now) {
        return staying(pods)
                .sorted(Comparator.comparing(PodProblems::isJobManager).reversed())
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
    static boolean isFirstProcess(Deployment jobManager, Collection<Pod> pods) {
        List<Pod> own = pods.stream().filter(PodProblems::isJobManager).toList();
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

    /**
     * @param taskManagers of a standalone cluster; Flink itself makes those of a native one
     */
    static Optional<PodProblem> problem(
            Optional<Deployment> jobManager,
            Optional<Deployment> taskManagers,
            Collection<Pod> pods,
            Instant now) {
        return Stream.of(
                        jobManager.flatMap(PodProblems::scaledToZero).stream(),
                        jobManager.stream().flatMap(found -> refusedPods("JobManager", found)),
                        taskManagers.stream().flatMap(found -> refusedPods("TaskManagers", found)),
                        staying(pods)
                                .flatMap(pod -> ofPod(pod, found -> !mayYetBePlaced(found, now))))
                .flatMap(problems -> problems)
                .findFirst();
    }

    /**
     * Whether all pods of the JobManager say that they can't run, or none can be made. One that is
     * on its way out, or out of reach, says nothing of the kind and may run on.
     */
    static boolean isJobManagerBroken(Optional<Deployment> jobManager, Collection<Pod> pods) {
        List<Pod> own = pods.stream().filter(PodProblems::isJobManager).toList();
        boolean refused = jobManager.filter(it -> refusedPods("", it).count() > 0).isPresent();
        boolean unwanted = jobManager.flatMap(PodProblems::scaledToZero).isPresent();
        return (refused || unwanted || !own.isEmpty())
                && own.stream().allMatch(pod -> ofPod(pod, _ -> true).findFirst().isPresent());
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

    /** Containers that were killed for their memory and do not wait: most run again by now. */
    static List<Kill> kills(Collection<Pod> pods) {
        return staying(pods)
                .filter(pod -> pod.getStatus() != null)
                .flatMap(
                        pod ->
                                containers(pod)
                                        .filter(it -> waiting(it).isEmpty())
                                        .flatMap(it -> kill(pod, it).stream()))
                .toList();
    }

    private static Optional<Kill> kill(Pod pod, ContainerStatus status) {
        return killed(status)
                .flatMap(end -> Optional.ofNullable(end.getFinishedAt()))
                .map(at -> new Kill(where(pod, status), Instant.parse(at), remedy(pod, status)));
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

    /**
     * @param counts whether a pod that finds no node, by this condition, counts
     */
    private static Stream<PodProblem> ofPod(Pod pod, Predicate<PodCondition> counts) {
        return pod.getStatus() == null
                ? Stream.empty()
                : Stream.concat(
                        unschedulable(pod, counts),
                        containers(pod).flatMap(status -> ofContainer(pod, status).stream()));
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

    /**
     * A TaskManager that was killed is started again, or replaced by Flink, and is nothing that its
     * JobManager waits for.
     */
    private static Optional<PodProblem> ofContainer(Pod pod, ContainerStatus status) {
        Optional<ContainerStateWaiting> waiting =
                waiting(status)
                        .filter(it -> it.getReason() != null)
                        .filter(it -> FATAL_WAITS.contains(it.getReason()));
        boolean crashes = waiting.filter(it -> it.getReason().equals(CRASHED)).isPresent();
        boolean hasEnded = isJobManager(pod) && terminated(status.getState()).isPresent();
        Optional<ContainerStateTerminated> killed = killed(status).filter(_ -> crashes || hasEnded);
        if (killed.isPresent()) {
            return killed.map(
                    end ->
                            new PodProblem(
                                    KILLED,
                                    where(pod, status) + ended(end) + ". " + remedy(pod, status)));
        }
        return waiting.map(it -> new PodProblem(reason(it), where(pod, status) + said(status, it)));
    }

    /** The kubelet goes back and forth between the two; a user has one problem. */
    private static String reason(ContainerStateWaiting waiting) {
        return waiting.getReason().equals(PULL_FAILED) ? WAITS_TO_PULL : waiting.getReason();
    }

    private static String where(Pod pod, ContainerStatus status) {
        return "pod " + pod.getMetadata().getName() + ", container " + status.getName() + ": ";
    }

    private static Optional<ContainerStateWaiting> waiting(ContainerStatus status) {
        return Optional.ofNullable(status.getState())
                .flatMap(state -> Optional.ofNullable(state.getWaiting()));
    }

    private static Optional<ContainerStateTerminated> terminated(@Nullable ContainerState state) {
        return Optional.ofNullable(state).flatMap(it -> Optional.ofNullable(it.getTerminated()));
    }

    /** How it ended the last time, if it was killed for the memory that it took. */
    private static Optional<ContainerStateTerminated> killed(ContainerStatus status) {
        return terminated(status.getState())
                .or(() -> terminated(status.getLastState()))
                .filter(end -> KILLED.equals(end.getReason()));
    }

    private static String remedy(Pod pod, ContainerStatus status) {
        return switch (status.getName().equals(MAIN_CONTAINER) ? component(pod) : "") {
            case "jobmanager" -> remedy("jobManager", "jobmanager");
            case "taskmanager" -> remedy("taskManager", "taskmanager");
            default -> "Raise the memory limit of this container in the podTemplate.";
        };
    }

    private static String remedy(String field, String option) {
        return ("Raise spec.%s.resource.memory, or leave more of it to native memory with"
                        + " %s.memory.jvm-overhead.fraction.")
                .formatted(field, option);
    }

    /**
     * How a container ended before says more than that it waits to be started again, for longer
     * each time.
     */
    private static String said(ContainerStatus status, ContainerStateWaiting waiting) {
        Optional<String> message =
                Optional.ofNullable(waiting.getMessage())
                        .map(text -> PULL_PREFIX.matcher(text).replaceFirst(""));
        Optional<String> ended = terminated(status.getLastState()).map(PodProblems::ended);
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
                                .flatMap(PodProblems::cause)
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
