// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** Which of Flink's processes a pod runs, by its labels. */
public final class PodRole {
    private PodRole() {}

    public static boolean isJobManager(Pod pod) {
        return component(pod).equals("jobmanager");
    }

    /** Whether the pod is one that a JobManager of a native cluster has asked for. */
    public static boolean isNativeTaskManager(Pod pod) {
        return component(pod).equals("taskmanager")
                && "flink-native-kubernetes".equals(pod.getMetadata().getLabels().get("type"));
    }

    /** The value of the label {@code component}; empty without one. */
    static String component(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get("component")))
                .orElse("");
    }
}
