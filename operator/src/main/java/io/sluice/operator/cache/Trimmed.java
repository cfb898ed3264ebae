// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.manifest.ImagePullPod;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.observe.pod.ImagePullReader;
import io.sluice.operator.observe.pod.PodProblems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reduces a cluster's objects to what is read of them. */
public final class Trimmed {
    private static final Set<String> LABELS =
            Set.of("app", "component", "type", ImagePullPod.OWNER_LABEL);
    private static final String ANNOTATIONS = "flinkdeployment.flink.apache.org/";

    private Trimmed() {}

    /** How many pods it is to have and has, and whose attempt it is. */
    public static Deployment deployment(Deployment whole) {
        return new DeploymentBuilder()
                .withMetadata(metadata(whole.getMetadata()))
                .withNewSpec()
                .withReplicas(whole.getSpec() == null ? null : whole.getSpec().getReplicas())
                .endSpec()
                .withStatus(whole.getStatus())
                .build();
    }

    /**
     * That it is there, what keeps it from running, whether its containers are its first and, if it
     * is to go or can't be reached, on which node it is.
     */
    public static Pod pod(Pod whole) {
        return ImagePullReader.pullsImages(whole) ? pullPod(whole) : ofCluster(whole);
    }

    /** What its kubelet says of it, and nothing of how it was to be run. */
    private static Pod pullPod(Pod whole) {
        return new PodBuilder()
                .withMetadata(metadata(whole.getMetadata()))
                .withStatus(whole.getStatus())
                .build();
    }

    private static Pod ofCluster(Pod whole) {
        boolean isPlaceWanted = isEnding(whole.getMetadata()) || PodProblems.isOutOfReach(whole);
        return new PodBuilder()
                .withMetadata(metadata(whole.getMetadata()))
                .withSpec(isPlaceWanted ? placement(whole) : null)
                .withStatus(
                        Optional.ofNullable(whole.getStatus())
                                .map(status -> troubles(status, PodProblems.isOutOfReach(whole)))
                                .orElseGet(PodStatus::new))
                .build();
    }

    /** What the autoscaler wants. */
    public static ConfigMap overrides(ConfigMap whole) {
        return new ConfigMapBuilder()
                .withNewMetadataLike(metadata(whole.getMetadata()))
                .withOwnerReferences(whole.getMetadata().getOwnerReferences())
                .endMetadata()
                .withData(AutoscalerOverrides.readable(whole.getData()))
                .build();
    }

    /**
     * Keeps all of a session cluster except its pods' templates, and of another one only that it is
     * none.
     */
    public static FlinkDeployment cluster(FlinkDeployment whole) {
        FlinkDeployment kept = new FlinkDeployment();
        kept.setMetadata(whole.getMetadata());
        if (whole.getSpec() == null) {
            return kept;
        }
        ObjectNode spec = whole.getSpec().deepCopy();
        if (!spec.path("job").isObject()) {
            spec.remove("podTemplate");
            kept.setStatus(whole.getStatus());
        } else {
            spec.retain("flinkVersion");
            spec.putObject("job");
        }
        kept.setSpec(spec);
        return kept;
    }

    private static PodSpec placement(Pod whole) {
        return new PodSpecBuilder()
                .withNodeName(whole.getSpec() == null ? null : whole.getSpec().getNodeName())
                .build();
    }

    private static boolean isEnding(ObjectMeta metadata) {
        return metadata.getDeletionTimestamp() != null;
    }

    private static PodStatus troubles(PodStatus status, boolean isOutOfReach) {
        List<ContainerStatus> containers = troubled(status.getContainerStatuses());
        List<ContainerStatus> before = troubled(status.getInitContainerStatuses());
        boolean waits = !containers.isEmpty() || !before.isEmpty();
        return new PodStatusBuilder()
                .withStartTime(waits ? status.getStartTime() : null)
                .withConditions(
                        status.getConditions().stream()
                                .filter(condition -> isKept(condition, isOutOfReach))
                                .toList())
                .withContainerStatuses(containers)
                .withInitContainerStatuses(before)
                .build();
    }

    private static boolean isKept(PodCondition condition, boolean isOutOfReach) {
        return switch (condition.getType()) {
            case "PodScheduled" -> "False".equals(condition.getStatus());
            case "Ready", "ContainersReady" -> isOutOfReach;
            default -> false;
        };
    }

    private static List<ContainerStatus> troubled(List<ContainerStatus> containers) {
        return containers.stream().flatMap(container -> troubled(container).stream()).toList();
    }

    private static Optional<ContainerStatus> troubled(ContainerStatus container) {
        boolean waits = container.getState() != null && container.getState().getWaiting() != null;
        if (waits) {
            return Optional.of(container);
        }
        Optional<ContainerState> now = ended(container.getState());
        Optional<ContainerState> before = ended(container.getLastState());
        boolean isAgain = Optional.ofNullable(container.getRestartCount()).orElse(0) > 0;
        return isAgain || Stream.concat(now.stream(), before.stream()).anyMatch(Trimmed::isKilled)
                ? Optional.of(
                        new ContainerStatusBuilder()
                                .withName(container.getName())
                                .withRestartCount(container.getRestartCount())
                                .withState(now.orElseGet(ContainerState::new))
                                .withLastState(before.orElseGet(ContainerState::new))
                                .build())
                : Optional.empty();
    }

    private static boolean isKilled(ContainerState state) {
        return "OOMKilled".equals(state.getTerminated().getReason());
    }

    /** How and when a container ended. */
    private static Optional<ContainerState> ended(@Nullable ContainerState state) {
        return Optional.ofNullable(state)
                .flatMap(it -> Optional.ofNullable(it.getTerminated()))
                .map(
                        end ->
                                new ContainerStateBuilder()
                                        .withNewTerminated()
                                        .withReason(end.getReason())
                                        .withExitCode(end.getExitCode())
                                        .withFinishedAt(end.getFinishedAt())
                                        .endTerminated()
                                        .build());
    }

    private static ObjectMeta metadata(ObjectMeta whole) {
        return new ObjectMetaBuilder()
                .withNamespace(whole.getNamespace())
                .withName(whole.getName())
                .withUid(whole.getUid())
                .withResourceVersion(whole.getResourceVersion())
                .withCreationTimestamp(whole.getCreationTimestamp())
                .withDeletionTimestamp(whole.getDeletionTimestamp())
                .withFinalizers(isEnding(whole) ? whole.getFinalizers() : List.of())
                .withLabels(kept(whole.getLabels(), LABELS))
                .withAnnotations(ours(whole.getAnnotations()))
                .build();
    }

    private static Map<String, String> kept(Map<String, String> all, Set<String> keys) {
        Map<String, String> kept = new HashMap<>(Optional.ofNullable(all).orElseGet(Map::of));
        kept.keySet().retainAll(keys);
        return kept;
    }

    private static Map<String, String> ours(Map<String, String> all) {
        Map<String, String> kept = new HashMap<>(Optional.ofNullable(all).orElseGet(Map::of));
        kept.keySet().removeIf(key -> !key.startsWith(ANNOTATIONS));
        return kept;
    }
}
