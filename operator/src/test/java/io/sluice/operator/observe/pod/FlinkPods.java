// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.pod;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;

/** Pods named {@code p} whose main container is in some state. */
public final class FlinkPods {
    private FlinkPods() {}

    public static Pod unschedulableSince(Instant since, String component) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .addToLabels("component", component)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/3 nodes are available")
                .withLastTransitionTime(since.toString())
                .endCondition()
                .endStatus()
                .build();
    }

    public static Pod startedAt(Instant created, Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withCreationTimestamp(created.toString())
                .addToLabels("component", "jobmanager")
                .endMetadata()
                .build();
    }

    public static Pod pod(String component, ContainerStatus status) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .addToLabels("component", component)
                .endMetadata()
                .withNewStatus()
                .withContainerStatuses(status)
                .endStatus()
                .build();
    }

    public static ContainerStatus status(ContainerState now, ContainerState last) {
        return new ContainerStatusBuilder()
                .withName("flink-main-container")
                .withState(now)
                .withLastState(last)
                .build();
    }

    public static ContainerStatus waiting(String reason, String message, ContainerState last) {
        return status(new ContainerStateBuilder().withNewWaiting(message, reason).build(), last);
    }

    public static Pod waiting(String reason, String message, String logOfTheLast) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("flink-main-container")
                .withNewState()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .endState()
                .withNewLastState()
                .withNewTerminated()
                .withExitCode(1)
                .withReason("Error")
                .withMessage(logOfTheLast)
                .endTerminated()
                .endLastState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    public static ContainerState killed(Instant at) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(137)
                .withReason("OOMKilled")
                .withFinishedAt(at.toString())
                .endTerminated()
                .build();
    }
}
