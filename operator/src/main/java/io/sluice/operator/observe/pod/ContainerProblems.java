// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ClusterView.PodProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says of a container what keeps it from running, and how it ended the last time. */
final class ContainerProblems {
    private static final String KILLED = "OOMKilled";
    private static final String MAIN_CONTAINER = "flink-main-container";
    private static final String CRASHED = "CrashLoopBackOff";
    static final String PULL_FAILED = "ErrImagePull";
    static final String WAITS_TO_PULL = "ImagePullBackOff";

    /** What the kubelet puts before its message while it waits, since Kubernetes 1.31. */
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

    private ContainerProblems() {}

    /**
     * A TaskManager that was killed is started again, or replaced by Flink, and is nothing that its
     * JobManager waits for.
     */
    static Optional<PodProblem> problem(Pod pod, ContainerStatus status) {
        Optional<ContainerStateWaiting> waiting =
                waiting(status)
                        .filter(it -> it.getReason() != null)
                        .filter(it -> FATAL_WAITS.contains(it.getReason()));
        boolean crashes = waiting.filter(it -> it.getReason().equals(CRASHED)).isPresent();
        boolean hasEnded = PodRole.isJobManager(pod) && terminated(status.getState()).isPresent();
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
    static String reason(ContainerStateWaiting waiting) {
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
        return switch (status.getName().equals(MAIN_CONTAINER) ? PodRole.component(pod) : "") {
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
        String message = message(waiting);
        Optional<String> ended = terminated(status.getLastState()).map(ContainerProblems::ended);
        if (CRASHED.equals(waiting.getReason())) {
            return ended.orElse(message);
        }
        return message + ended.map(before -> " (before that it " + before + ")").orElse("");
    }

    /** The kubelet's own message, without what it puts before it while it waits. */
    static String message(ContainerStateWaiting waiting) {
        return Optional.ofNullable(waiting.getMessage())
                .map(text -> PULL_PREFIX.matcher(text).replaceFirst(""))
                .orElse(NO_MESSAGE);
    }

    private static String ended(ContainerStateTerminated end) {
        return "ended with exit code %d, %s%s"
                .formatted(
                        end.getExitCode(),
                        end.getReason(),
                        Optional.ofNullable(end.getMessage())
                                .flatMap(ContainerProblems::cause)
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

    /**
     * The container was killed for its memory and does not wait to be started again: it most likely
     * runs by now.
     */
    static Optional<Kill> kill(Pod pod, ContainerStatus status) {
        return killed(status)
                .filter(_ -> waiting(status).isEmpty())
                .flatMap(end -> Optional.ofNullable(end.getFinishedAt()))
                .map(at -> new Kill(where(pod, status), Instant.parse(at), remedy(pod, status)));
    }
}
