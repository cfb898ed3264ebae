// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;

/** Does to Deployments what controllers and nodes would do, where there are none. */
public final class SimulatedDeployments {
    private SimulatedDeployments() {}

    /**
     * Stores that the one pod of a Deployment is there and ready.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses it
     */
    public static void makeAvailable(KubernetesClient client, Deployment deployment) {
        client.resource(
                        new DeploymentBuilder(deployment)
                                .withNewStatus()
                                .withObservedGeneration(1L)
                                .withReplicas(1)
                                .withReadyReplicas(1)
                                .withAvailableReplicas(1)
                                .addNewCondition()
                                .withType("Available")
                                .withStatus("True")
                                .withLastTransitionTime("2026-01-01T00:00:00Z")
                                .endCondition()
                                .endStatus()
                                .build())
                .updateStatus();
    }

    /**
     * Lets go of a Deployment that waits for its pod to end.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server refuses it,
     *     also because the Deployment is gone (404)
     */
    public static void letGo(KubernetesClient client, Deployment deployment) {
        client.resource(
                        new DeploymentBuilder(deployment)
                                .editMetadata()
                                .withFinalizers(List.of())
                                .endMetadata()
                                .build())
                .update();
    }
}
