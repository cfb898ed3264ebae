// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What controllers and a node would do, by hand: the API server of the tests has neither. */
public record Kubelet(KubernetesClient client, String namespace) {
    public Optional<Deployment> deployment(String name) {
        return Optional.ofNullable(
                client.apps().deployments().inNamespace(namespace).withName(name).get());
    }

    /** The JobManager's pod is ready. */
    public void makeAvailable(String name) {
        makeAvailable(deployment(name).orElseThrow());
    }

    void makeAvailable(Deployment deployment) {
        Deployment ready =
                new DeploymentBuilder(deployment)
                        .withNewStatus()
                        .withReplicas(1)
                        .withReadyReplicas(1)
                        .withAvailableReplicas(1)
                        .addNewCondition()
                        .withType("Available")
                        .withStatus("True")
                        .withLastTransitionTime("2026-01-01T00:00:00Z")
                        .endCondition()
                        .endStatus()
                        .build();
        client.resource(ready).updateStatus();
    }

    /** Whether the Deployment is there, and is being deleted. */
    public boolean isLeaving(String name) {
        return deployment(name)
                .filter(found -> found.getMetadata().getDeletionTimestamp() != null)
                .isPresent();
    }

    /** A JobManager's pod that can't be started. */
    public void failPod(String name, String reason, String message) {
        Pod pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(name + "-pod")
                        .withNamespace(namespace)
                        .withLabels(
                                Map.of(
                                        "app", name,
                                        "component", "jobmanager",
                                        "type", "flink-native-kubernetes"))
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("flink-main-container")
                        .withImage("flink")
                        .endContainer()
                        .endSpec()
                        .build();
        Pod created = client.resource(pod).create();
        created.setStatus(
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .withContainerStatuses(
                                new ContainerStatusBuilder()
                                        .withName("flink-main-container")
                                        .withImage("flink")
                                        .withImageID("")
                                        .withReady(false)
                                        .withRestartCount(0)
                                        .withNewState()
                                        .withNewWaiting(message, reason)
                                        .endState()
                                        .build())
                        .build());
        client.resource(created).updateStatus();
    }

    /** A TaskManager's pod on a node that Kubernetes does not hear from any more. */
    public Pod loseTaskManager(String name) {
        Pod pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(name + "-taskmanager-1-1")
                        .withNamespace(namespace)
                        .withLabels(
                                Map.of(
                                        "app", name,
                                        "component", "taskmanager",
                                        "type", "flink-native-kubernetes"))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("n1")
                        .addNewContainer()
                        .withName("flink-main-container")
                        .withImage("flink")
                        .endContainer()
                        .endSpec()
                        .build();
        Pod created = client.resource(pod).create();
        created.setStatus(
                new PodStatusBuilder()
                        .withPhase("Running")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("False")
                        .endCondition()
                        .addNewCondition()
                        .withType("ContainersReady")
                        .withStatus("True")
                        .endCondition()
                        .build());
        return client.resource(created).updateStatus();
    }

    /** A deletion in the foreground has removed all that was owned. */
    public void finishDeletion(String name) {
        deployment(name)
                .filter(deployment -> deployment.getMetadata().getDeletionTimestamp() != null)
                .ifPresent(
                        deployment ->
                                client.resource(deployment)
                                        .edit(
                                                found -> {
                                                    found.getMetadata().setFinalizers(List.of());
                                                    return found;
                                                }));
    }
}
