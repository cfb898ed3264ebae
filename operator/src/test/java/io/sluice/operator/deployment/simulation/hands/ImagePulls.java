// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.deployment.simulation.habits.Platform;
import io.sluice.operator.observe.pod.ImagePullReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a kubelet tells of pods that only pull images: nothing yet, that it can't, or that it has.
 */
public final class ImagePulls {
    private final SimulatedFramework.World world;

    public ImagePulls(SimulatedFramework.World world) {
        this.world = world;
    }

    public static boolean isOne(Pod pod) {
        return ImagePullReader.pullsImages(pod);
    }

    /** What is told next; empty if that is nothing new. */
    public Optional<Map<String, Object>> next(Pod pod) {
        if (!world.dice().chance(50)) {
            return Optional.empty();
        }
        if (pod.getSpec().getContainers().stream()
                .anyMatch(it -> Platform.hasTypo(it.getImage()))) {
            return Optional.of(
                    world.dice().chance(70)
                            ? told(pod, "ErrImagePull", "there is no such image")
                            : told(pod, "ContainerCreating", "the kubelet has restarted"));
        }
        if (world.strikes(30)) {
            world.trace("! the registry does not give the image of " + pod.getMetadata().getName());
            return Optional.of(told(pod, "ErrImagePull", "503 from the registry"));
        }
        return Optional.of(told(pod, "CreateContainerError", "no such command"));
    }

    private static Map<String, Object> told(Pod pod, String reason, String message) {
        return Map.of(
                "phase",
                "Pending",
                "conditions",
                List.of(Map.of("type", "PodScheduled", "status", "True")),
                "containerStatuses",
                pod.getSpec().getContainers().stream()
                        .map(container -> told(container, reason, message))
                        .toList());
    }

    private static Map<String, Object> told(Container container, String reason, String message) {
        return Map.of(
                "name",
                container.getName(),
                "image",
                container.getImage(),
                "state",
                Map.of("waiting", Map.of("reason", reason, "message", message)));
    }
}
