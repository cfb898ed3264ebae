// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model.image;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The pods that pull images for a resource, as a cache has them.
 *
 * @param pods usually none, and one while a change of the image is at hand
 * @param givenUp the name of the pod of which no answer is to be had: the API server refused it, or
 *     it went several times before it gave one
 */
public record ImagePulls(List<PullPod> pods, Optional<String> givenUp) {
    public static final ImagePulls NONE = new ImagePulls(List.of(), Optional.empty());

    public ImagePulls {
        pods = List.copyOf(pods);
    }

    /** The pod of that name, if it is there. */
    public Optional<PullPod> named(String name) {
        return pods.stream().filter(pod -> pod.name().equals(name)).findFirst();
    }

    /** Whether no more is to be expected of a pod of that name. */
    public boolean isGivenUp(String name) {
        return givenUp.equals(Optional.of(name));
    }

    /**
     * A pod that pulls images.
     *
     * @param uid its own, so that only what was seen is deleted
     */
    public record PullPod(String name, String uid, Answer answer) {}

    /** What is known of the images of a pod. */
    public sealed interface Answer {
        /**
         * No node has been found for the pod.
         *
         * @param since when it was created
         */
        record Unscheduled(Instant since) implements Answer {}

        /**
         * The kubelet pulls, or has yet to begin.
         *
         * @param since when the kubelet took the pod on, or the pod was created
         */
        record Pulling(Instant since) implements Answer {}

        /** The kubelet has all images. */
        record Pulled() implements Answer {}

        /**
         * The kubelet has failed to pull an image, and tries again by itself.
         *
         * @param image as the pod names it
         * @param reason Kubernetes' own word, for example {@code ImagePullBackOff}
         * @param message the kubelet's own
         */
        record NotPulled(String image, String reason, String message) implements Answer {}

        /**
         * Somebody deletes the pod.
         *
         * @param since by when it was to be gone
         */
        record Ending(Instant since) implements Answer {}

        /** The pod ended before its images were pulled: it was evicted, or its node refused it. */
        record Lost() implements Answer {}
    }
}
