// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.operator.model.ClusterView.JobManagerView.Step;
import io.sluice.operator.observe.pod.PodRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A JobManager's Deployment that the operator has scaled to zero before it deletes it. Deleting it
 * at once would end JobManager and TaskManagers at the same time: a JobManager that still runs asks
 * for new TaskManagers in the place of those that end, and a container that is only just starting
 * ignores SIGTERM for the whole of its grace period.
 *
 * <p>The annotation and the number of replicas are written in one request, and the annotation is
 * never taken back: a Deployment that carries it is removed, whatever becomes of the edit that
 * asked for it.
 */
public final class JobManagerScaleDown {
    public static final String ANNOTATION = "flinkdeployment.flink.apache.org/removal";
    private static final String BEGUN = "begun";

    private JobManagerScaleDown() {}

    public static boolean isMarked(Deployment deployment) {
        return Optional.ofNullable(deployment.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(ANNOTATION))
                .isPresent();
    }

    /** A merge patch that marks the Deployment of that uid, and no other, and scales it to zero. */
    public static Map<String, Object> patch(String uid) {
        return Map.of(
                "metadata",
                Map.of("uid", uid, "annotations", Map.of(ANNOTATION, BEGUN)),
                "spec",
                Map.of("replicas", 0));
    }

    /**
     * A JobManager on a node that does not confirm its end is not waited for: the TaskManagers are
     * to go, and whoever waits for the removal sees the pod.
     */
    static Optional<Step> next(Deployment deployment, List<Pod> pods, Instant now) {
        String uid = deployment.getMetadata().getUid();
        boolean isStopped =
                pods.stream()
                        .filter(PodRole::isJobManager)
                        .allMatch(pod -> RemovalBlockers.isOverdue(pod, now));
        boolean isScaledUp = Optional.ofNullable(deployment.getSpec().getReplicas()).orElse(1) != 0;
        return isStopped || isScaledUp ? Optional.of(new Step(uid, !isScaledUp)) : Optional.empty();
    }
}
