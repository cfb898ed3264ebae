// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.manifest.ImageSources.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Renders a pod for which a kubelet pulls the images of a cluster, and which does nothing: its
 * command exists in no image. It is placed as the JobManager's pod is, pulls with the same Secrets,
 * mounts nothing, and satisfies the Pod Security standard restricted.
 */
public final class ImagePullPod {
    /** The value of the label {@code type}; no Service of a cluster selects it. */
    public static final String TYPE = "flink-image-pull";

    /** The label that names the FlinkDeployment. */
    public static final String OWNER_LABEL = "sluice.io/pulls-image-of";

    /** The container that has the JobManager's image. */
    public static final String JOB_MANAGER = "job-manager";

    /** The container that has the TaskManagers' image, where that is another one. */
    public static final String TASK_MANAGER = "task-manager";

    private static final String NO_COMMAND = "/sluice-pulls-this-image-only";
    private static final Map<String, Quantity> LEAST =
            Map.of("cpu", new Quantity("10m"), "memory", new Quantity("32Mi"));

    private ImagePullPod() {}

    /**
     * The pod.
     *
     * @param plan of the spec that is to be started
     * @param name what the pod is called
     * @throws IllegalArgumentException if Flink refuses the configuration
     */
    public static Pod render(ClusterPlan plan, String name) {
        Deployment jobManager = (Deployment) ManifestRenderer.render(plan).getFirst();
        PodSpec like = jobManager.getSpec().getTemplate().getSpec();
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(plan.namespace())
                .withName(name)
                .addToLabels("type", TYPE)
                .addToLabels(OWNER_LABEL, plan.name())
                .withOwnerReferences(jobManager.getMetadata().getOwnerReferences())
                .endMetadata()
                .withNewSpec()
                .withContainers(containers(plan, like))
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(1L)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withServiceAccountName(like.getServiceAccountName())
                .withImagePullSecrets(like.getImagePullSecrets().stream().distinct().toList())
                .withNodeSelector(like.getNodeSelector())
                .withAffinity(like.getAffinity())
                .withTolerations(like.getTolerations())
                .withPriorityClassName(like.getPriorityClassName())
                .withSchedulerName(like.getSchedulerName())
                .withRuntimeClassName(like.getRuntimeClassName())
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .endSpec()
                .build();
    }

    private static List<Container> containers(ClusterPlan plan, PodSpec like) {
        ImageSources sources = ImageSources.of(plan.spec(), plan.effective());
        Container main =
                like.getContainers().stream()
                        .filter(it -> it.getName().equals(PodTemplates.MAIN_CONTAINER))
                        .findFirst()
                        .orElseThrow();
        List<Container> containers = new ArrayList<>();
        containers.add(container(JOB_MANAGER, main.getImage(), main.getImagePullPolicy()));
        Source others = sources.taskManager();
        others.image()
                .filter(image -> !image.equals(main.getImage()))
                .ifPresent(
                        image ->
                                containers.add(
                                        container(
                                                TASK_MANAGER,
                                                image,
                                                others.policy()
                                                        .orElse(main.getImagePullPolicy()))));
        return containers;
    }

    private static Container container(String name, String image, String policy) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withImagePullPolicy(policy)
                .withCommand(NO_COMMAND)
                .withNewResources()
                .withRequests(LEAST)
                .withLimits(LEAST)
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .build();
    }
}
