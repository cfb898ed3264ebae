// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.sluice.manifest.ImagePullPod;
import io.sluice.operator.model.image.ImagePulls.Answer;
import io.sluice.operator.model.image.ImagePulls.PullPod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads from a pod that pulls images whether they are pulled. Its containers need not run. */
public final class ImagePullReader {
    /** The words with which a kubelet says that it has no image, as of its source. */
    private static final Set<String> NOT_PULLED =
            Set.of(
                    ContainerProblems.PULL_FAILED,
                    ContainerProblems.WAITS_TO_PULL,
                    "ErrImageNeverPull",
                    "InvalidImageName",
                    "ImageInspectError",
                    "RegistryUnavailable",
                    "SignatureValidationFailed");

    /** The kubelet has not come to the container yet. */
    private static final Set<String> NOT_BEGUN = Set.of("ContainerCreating", "PodInitializing");

    private ImagePullReader() {}

    /** Whether the pod is one that pulls images, and no part of a cluster. */
    public static boolean pullsImages(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .map(labels -> labels.get("type"))
                .filter(ImagePullPod.TYPE::equals)
                .isPresent();
    }

    /** The resource that a pod pulls images for, by its label. */
    public static Optional<String> owner(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get(ImagePullPod.OWNER_LABEL)));
    }

    static PullPod read(Pod pod) {
        return new PullPod(pod.getMetadata().getName(), pod.getMetadata().getUid(), answer(pod));
    }

    private static Answer answer(Pod pod) {
        Optional<Instant> ending = time(pod.getMetadata().getDeletionTimestamp());
        if (ending.isPresent()) {
            return new Answer.Ending(ending.get());
        }
        PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(PodStatus::new);
        List<ContainerStatus> own =
                status.getContainerStatuses().stream().filter(ImagePullReader::isOurs).toList();
        Optional<Answer> refused =
                own.stream()
                        .flatMap(it -> refusal(it).stream())
                        .findFirst()
                        .map(Answer.class::cast);
        return refused.orElseGet(
                () ->
                        !own.isEmpty() && own.stream().allMatch(ImagePullReader::isPulled)
                                ? new Answer.Pulled()
                                : unanswered(pod, status));
    }

    private static Answer unanswered(Pod pod, PodStatus status) {
        if ("Failed".equals(status.getPhase())) {
            return new Answer.Lost();
        }
        Instant created = time(pod.getMetadata().getCreationTimestamp()).orElse(Instant.EPOCH);
        boolean isPlaced =
                status.getConditions().stream()
                        .anyMatch(
                                it ->
                                        it.getType().equals("PodScheduled")
                                                && it.getStatus().equals("True"));
        return isPlaced
                ? new Answer.Pulling(time(status.getStartTime()).orElse(created))
                : new Answer.Unscheduled(created);
    }

    /** Whoever injects containers into each pod may have images of its own. */
    private static boolean isOurs(ContainerStatus status) {
        return status.getName().equals(ImagePullPod.JOB_MANAGER)
                || status.getName().equals(ImagePullPod.TASK_MANAGER);
    }

    private static Optional<Answer.NotPulled> refusal(ContainerStatus status) {
        return waiting(status)
                .filter(waiting -> NOT_PULLED.contains(reason(waiting)))
                .map(
                        waiting ->
                                new Answer.NotPulled(
                                        Optional.ofNullable(status.getImage()).orElse(""),
                                        ContainerProblems.reason(waiting),
                                        ContainerProblems.message(waiting)));
    }

    /** A container that can't be created, or ended, was not even tried without its image. */
    private static boolean isPulled(ContainerStatus status) {
        ContainerState state =
                Optional.ofNullable(status.getState()).orElseGet(ContainerState::new);
        boolean wasTried =
                waiting(status)
                        .map(ImagePullReader::reason)
                        .filter(reason -> !reason.isEmpty() && !NOT_BEGUN.contains(reason))
                        .isPresent();
        return wasTried || state.getRunning() != null || state.getTerminated() != null;
    }

    private static Optional<ContainerStateWaiting> waiting(ContainerStatus status) {
        return Optional.ofNullable(status.getState())
                .flatMap(state -> Optional.ofNullable(state.getWaiting()));
    }

    private static String reason(ContainerStateWaiting waiting) {
        return Optional.ofNullable(waiting.getReason()).orElse("");
    }

    private static Optional<Instant> time(@Nullable String text) {
        return Stream.ofNullable(text).map(Instant::parse).findFirst();
    }
}
