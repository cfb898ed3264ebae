// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.operator.model.image.ImagePulls;
import io.sluice.operator.model.image.ImagePulls.Answer;
import io.sluice.operator.model.image.ImagePulls.PullPod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How often a pod was created to pull an image, by resource uid. After a restart it is tried anew.
 */
public final class ImagePullMemory {
    /** A pod that went as often before its kubelet has said anything is not waited for again. */
    private static final int MOST = 3;

    private record Tries(String pod, int count) {}

    private final Map<String, Tries> byUid = new ConcurrentHashMap<>();

    /** A pod of that name was created for the resource, which had none. */
    public void created(String uid, String pod) {
        byUid.merge(
                uid,
                new Tries(pod, 1),
                (before, first) ->
                        before.pod().equals(pod) ? new Tries(pod, before.count() + 1) : first);
    }

    /** No answer is to be had of a pod of that name. */
    public void giveUp(String uid, String pod) {
        byUid.put(uid, new Tries(pod, MOST + 1));
    }

    public void forget(String uid) {
        byUid.remove(uid);
    }

    /**
     * What is known of the images that are pulled for a resource. A pod that has said that there is
     * no image may be deleted as often as somebody likes, and is created again.
     *
     * @param pods that pull images for it
     */
    public ImagePulls of(String uid, List<Pod> pods) {
        List<PullPod> read = pods.stream().map(ImagePullReader::read).toList();
        if (read.stream().anyMatch(pod -> pod.answer() instanceof Answer.NotPulled)) {
            forget(uid);
        }
        return new ImagePulls(
                read,
                Optional.ofNullable(byUid.get(uid))
                        .filter(tries -> tries.count() > MOST)
                        .map(Tries::pod));
    }
}
